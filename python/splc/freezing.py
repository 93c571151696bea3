"""Frozen levels: a finished level as a des-file that always makes just that level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _splc
from .compiling import requested
from .diagnostics import CompileError, RunError, from_rows

if TYPE_CHECKING:
    from .levels import Level, Settings
    from .maps import Map, ObjectRecord

ROWS, COLUMNS = 21, 80

_DIALECTS = ("nethack36", "unnethack", "sporkhack")

# The map character of each terrain. Walls of every shape are made of these two, and joined by the loader.
_CHARACTERS = {
    "vwall": "|", "moat": "}", "door": "+", "air": "A", "cloud": "C", "sdoor": "S", "scorr": "H", "pool": "P",
    "lavapool": "L", "ice": "I", "water": "W", "tree": "T", "ironbars": "F", "throne": "\\", "corr": "#", "stone": " ",
}  # fmt: skip
_WALLS = ("hwall", "tlcorner", "trcorner", "blcorner", "brcorner", "crosswall", "tuwall", "tdwall", "tlwall", "trwall")
_DOORS = {0: "nodoor", 1: "broken", 2: "open", 4: "closed", 8: "locked"}
_ENGRAVINGS = {"dust": "dust", "engraved": "engrave", "burned": "burn", "marked": "mark", "blood": "blood"}
_DIRECTIONS = ("north", "south", "east", "west")
_STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))
_NON_DIGGABLE, _NON_PASSWALL = 8, 16
_FLAGS = (
    "noteleport", "hardfloor", "nommap", "shortsighted", "arboreal", "shroud", "stormy", "graveyard", "corrmaze",
    "premapped", "sky", "hot", "cold",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Frozen:
    """A level as a des-file."""

    text: str
    """The des-file."""
    proven: bool
    """True if every outcome was tried, and is exactly the level."""
    lost: tuple[str, ...]
    """What the level has that the des-file does not make on every run."""
    added: tuple[str, ...]
    """What the des-file makes on some run that the level does not have."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        state = "proven" if self.proven else f"{len(self.lost)} facts lost, {len(self.added)} added"
        return f"<splc.Frozen: {self.text.count(chr(10))} lines, {state}>"


def freeze(level: Level, seed: int, settings: Settings) -> Frozen:
    """Returns the level of one seed as a des-file, and compares what it makes with the level."""
    from .levels import _load

    dialects = {name: dialect for name, _, dialect in _splc.targets(None)}
    if dialects.get(level.target) not in _DIALECTS:
        raise ValueError(f"levels for {level.target} cannot be frozen, only those of {', '.join(_DIALECTS)}")
    made = level.run(seed, settings)
    anatomy = level._compiled.anatomy(seed, settings._row())
    assert anatomy is not None
    text = "".join(f"{line}\n" for line in _Writer(made, anatomy).lines())
    source = (f"{level.name}.des", None, text.encode("utf-8", "surrogateescape"))
    _, rows, _ = _splc.compile(source, requested(level.target), "lev", {})
    if any(row[0][2] == "error" for row in rows):
        raise CompileError(from_rows(rows), "the frozen level cannot be compiled")
    frozen = next(iter(_load(source, level.target, None, (), None).values()))
    proven, _, lost, added = _splc.compare_frozen(level._compiled, seed, frozen._compiled, 100, settings._row())
    return Frozen(text, proven, tuple(lost), tuple(added))


class _Writer:
    def __init__(self, made: Map, anatomy: _splc.Anatomy) -> None:
        self.made, self.records = made, made.records()
        self.flags, (self.monsters, self.objects, self.graves, rooms, self.ore), details, self.branch = anatomy
        self.rooms, self.subrooms = rooms
        self.monster_details, self.object_details = details
        terrain, light = made._layers[3], made._layers[2]
        self.words = [[made.terrain_names[terrain[y * COLUMNS + x]] for x in range(COLUMNS)] for y in range(ROWS)]
        self.lit = [[bool(light[y * COLUMNS + x]) for x in range(COLUMNS)] for y in range(ROWS)]
        # The square of the portcullis of each bridge is made by its statement.
        self.portcullises: set[tuple[int, int]] = set()
        for x, y in self.places():
            if self.words[y][x].startswith("drawbridge"):
                dx, dy = _STEPS[self.flag(x, y) & 3]
                self.portcullises.add((x + dx, y + dy))

    def places(self) -> Iterator[tuple[int, int]]:
        return ((x, y) for y in range(ROWS) for x in range(1, COLUMNS))

    def flag(self, x: int, y: int) -> int:
        return self.flags[y * COLUMNS + x]

    def character(self, x: int, y: int) -> str:
        word = self.words[y][x]
        if word.startswith("drawbridge"):
            return {0: "}", 4: "L", 8: "I"}.get(self.flag(x, y) & 28, ".")
        if (x, y) in self.portcullises:
            # A drawbridge is only made next to a wall (`create_drawbridge`).
            return "|"
        return "-" if word in _WALLS else _CHARACTERS.get(word, ".")

    def lines(self) -> Iterator[str]:
        records = self.records
        yield f"# {self.made.name}, seed {self.made.seed}, for {self.made.title}. Frozen by splc {_splc.version()}."
        drawn = [line for line in self.made.text.splitlines() if line.strip()]
        yield from (f"#   {line}" for line in drawn)
        yield ""
        maze = "maze" in records["flags"] and self.made.target.startswith("nethack-3.6")
        yield f"MAZE: {_string(self.made.name)}, ' '" if maze else f"LEVEL: {_string(self.made.name)}"
        flags = [flag for flag in records["flags"] if flag in _FLAGS]
        if self.made.target.startswith("unnethack"):
            flags.append("noflip")
        if flags:
            yield f"FLAGS: {', '.join(flags)}"
        yield from (f"MESSAGE: {_string(line)}" for text in records["messages"] for line in text.split("\n"))
        yield "NOMAP"
        if records["rooms"]:
            yield from self.terrain(light=False)
            yield from self.regions()
        yield from self.terrain(light=True)
        yield from self.features()
        yield from self.things()
        for bit, word in ((_NON_DIGGABLE, "NON_DIGGABLE"), (_NON_PASSWALL, "NON_PASSWALL")):
            yield from (f"{word}: {_region(*area)}" for area in self.hard(bit))
        for pools, moats, gold, gems in self.ore:
            yield f"MINERALIZE: {pools}, {moats}, {gold}, {gems}" if (pools, moats, gold, gems) != (-1,) * 4 else "MINERALIZE"

    def terrain(self, light: bool) -> Iterator[str]:
        def key(x: int, y: int) -> tuple[str, bool] | None:
            character = self.character(x, y)
            return None if character == " " else (character, light and self.lit[y][x])

        for (character, lit), area in _rectangles(key):
            if light:
                what = f"('{character}', {'lit' if lit else 'unlit'})"
            else:
                what = f"'{character}'"
            yield f"TERRAIN: {_area(*area)}, {what}"

    def regions(self) -> Iterator[str]:
        left = list(zip(self.records["subrooms"], self.subrooms))
        for room, (fill, joined) in zip(self.records["rooms"], self.rooms):
            x1, y1, x2, y2 = room["area"]
            # The loader makes an ordinary room of a region only if it counts as filled already: the word for that is
            # "filled" in SporkHack, and "unfilled" elsewhere (lev_comp.y).
            done = fill == 2 or room["kind"] == "ordinary"
            filled = done == self.made.target.startswith("sporkhack")
            words = ["filled" if filled else "unfilled", "irregular" if room["irregular"] else "regular"]
            words.append("joined" if joined else "unjoined")
            light = "lit" if room["lit"] else "unlit"
            line = f"REGION: {_region(x1, y1, x2, y2)}, {light}, {_string(room['kind'])}, {', '.join(words)}"
            within = [
                (it, more) for it, more in left
                if x1 <= it["area"][0] and y1 <= it["area"][1] and it["area"][2] <= x2 and it["area"][3] <= y2
            ]  # fmt: skip
            if not within:
                yield line
                continue
            yield line + " {"
            for pair in within:
                left.remove(pair)
                subroom, (fill, joined) = pair
                a, b, c, d = subroom["area"]
                light = "lit" if subroom["lit"] else "unlit"
                yield (
                    f"  SUBROOM: {_string(subroom['kind'])}, {light}, ({a - x1},{b - y1}), ({c - a + 1},{d - b + 1}), "
                    f"{'filled' if fill else 'unfilled'}, {'joined' if joined else 'unjoined'} {{"
                )
                yield "  }"
            yield "}"

    def features(self) -> Iterator[str]:
        records = self.records
        for x, y in self.places():
            word, flag = self.words[y][x], self.flag(x, y)
            if word == "fountain":
                yield f"FOUNTAIN: {_place(x, y)}"
            elif word == "sink":
                yield f"SINK: {_place(x, y)}"
            elif word in ("door", "sdoor") and (x, y) not in self.portcullises:
                yield f"DOOR: {_DOORS.get(flag & 15, 'nodoor')}, {_place(x, y)}"
            elif word.startswith("drawbridge"):
                state = "closed" if word.endswith("up") else "open"
                yield f"DRAWBRIDGE: {_place(x, y)}, {_DIRECTIONS[flag & 3]}, {state}"
        named = {(it["x"], it["y"]) for it in records["stairs"] if it["what"] != "branch"}
        for x, y in self.places():
            # A second pair of stairs; the game only uses the last.
            if self.words[y][x] in ("stairs", "ladder") and (x, y) not in named:
                branch = any(it["what"] == "branch" and (it["x"], it["y"]) == (x, y) for it in records["stairs"])
                if not branch:
                    way = "down" if self.flag(x, y) & 2 else "up"
                    yield f"{'STAIR' if self.words[y][x] == 'stairs' else 'LADDER'}: {_place(x, y)}, {way}"
        for stairs in records["stairs"]:
            kind, _, way = stairs["what"].rpartition(" ")
            if stairs["what"] != "branch":
                yield f"{'LADDER' if kind else 'STAIR'}: {_place(stairs['x'], stairs['y'])}, {way}"
        if self.branch is not None:
            x, y = self.branch
            # The excluded area must not be empty.
            other = 2 if (x, y) == (1, 0) else 1
            yield f"BRANCH: levregion({x},{y},{x},{y}), levregion({other},0,{other},0)"
        else:
            for arrival in records["branches"]:
                yield f"BRANCH: {_arrival(arrival['within'])}, {_arrival(arrival['outside'])}"
        above, below = records["arrival_from_above"], records["arrival_from_below"]
        for arrival_, way in ((above, "down"), (below, "up")):
            if arrival_ is not None:
                yield f"TELEPORT_REGION: {_arrival(arrival_['within'])}, {_arrival(arrival_['outside'])}, {way}"
        for altar in records["altars"]:
            alignment = {1: "chaos", 2: "neutral", 4: "law"}.get(altar["mask"] & 7, "noalign")
            kind = "shrine" if altar["mask"] & 8 else "altar"
            yield f"ALTAR: {_place(altar['x'], altar['y'])}, {alignment}, {kind}"
        for x, y, epitaph in self.graves:
            if self.words[y][x] == "grave":
                text = ", random" if epitaph is None else f", {_string(epitaph)}" if epitaph else ""
                yield f"GRAVE: {_place(x, y)}{text}"
        for engraving in records["engravings"]:
            if engraving["how"] in _ENGRAVINGS:
                how = _ENGRAVINGS[engraving["how"]]
                yield f"ENGRAVING: {_place(engraving['x'], engraving['y'])}, {how}, {_string(engraving['text'])}"

    def things(self) -> Iterator[str]:
        records = self.records
        for trap in records["traps"]:
            yield f"TRAP: {_string(trap['what'])}, {_place(trap['x'], trap['y'])}"
        for at, it in enumerate(records["objects"]):
            if it["whereabouts"] in ("floor", "buried"):
                yield from self.object(at, it, "")
        for gold in records["gold"]:
            yield f"GOLD: {gold['amount']}, {_place(gold['x'], gold['y'])}"
        for at, monster in enumerate(records["monsters"]):
            line = f"MONSTER: {_named(self.monsters[at])}, {_place(monster['x'], monster['y'])}"
            for value, yes, no in ((monster["peaceful"], "peaceful", "hostile"), (monster["asleep"], "asleep", "awake")):
                if value is not None:
                    line += f", {yes if value else no}"
            if monster["name"]:
                line += f", {_string(monster['name'])}"
            parts = {name: number for of, name, number in self.monster_details if of == at}
            for name, word in (("female", "female"), ("invis", "invisible"), ("cancelled", "cancelled"),
                               ("revived", "revived"), ("avenge", "avenge"), ("stunned", "stunned"),
                               ("confused", "confused")):  # fmt: skip
                if parts.get(name):
                    line += f", {word}"
            for name in ("fleeing", "blinded", "paralyzed"):
                if parts.get(name):
                    line += f", {name}: {parts[name]}"
            if parts.get("seentraps") == -1:
                line += ", seen_traps: all"
            carried = [(number, it) for number, it in enumerate(records["objects"]) if it["carrier"] == at]
            if carried or "inventory" in parts:
                yield line + " {"
                for number, it in carried:
                    yield from self.object(number, it, "  ")
                yield "}"
            else:
                yield line

    def object(self, at: int, it: ObjectRecord, indent: str) -> Iterator[str]:
        contents = [(number, other) for number, other in enumerate(self.records["objects"]) if other["container"] == at]
        parts = {name: number for of, name, number in self.object_details if of == at}
        is_container = bool(contents) or "container" in parts
        line = f"{indent}{'CONTAINER' if is_container else 'OBJECT'}: {_named(self.objects[at])}"
        if it["whereabouts"] in ("floor", "buried"):
            line += f", {_place(it['x'], it['y'])}"
        if it["whereabouts"] == "buried":
            line += ", buried"
        if it["curse"] is not None:
            line += f", {it['curse']}"
        if it["monster"] is not None:
            line += f", montype: {_string(it['monster'])}"
        if it["enchantment"] is not None:
            line += f", {it['enchantment']:+}"
        if it["name"]:
            line += f", name: {_string(it['name'])}"
        if it["quantity"] is not None:
            line += f", quantity: {it['quantity']}"
        if parts.get("eroded", 0) < 0:
            line += ", erodeproof"
        elif parts.get("eroded"):
            line += f", eroded: {parts['eroded']}"
        for name in ("locked", "broken", "greased", "trapped"):
            if parts.get(name, 0) > 0:
                line += f", {name}"
        if parts.get("trapped") == 0:
            line += ", not_trapped"
        if parts.get("recharged"):
            line += f", recharged: {parts['recharged']}"
        if not is_container:
            yield line
            return
        yield line + " {"
        for number, other in contents:
            yield from self.object(number, other, indent + "  ")
        yield f"{indent}}}"

    def hard(self, bit: int) -> Iterator[tuple[int, int, int, int]]:
        """Yields rectangles whose walls all have the bit. Squares that are not walls can be in any of them."""
        left: set[tuple[int, int]] = set()
        free: set[tuple[int, int]] = set()
        for x, y in self.places():
            word = self.words[y][x]
            is_wall = word in ("stone", "vwall", "tree", "ironbars", "sdoor", "scorr", "dbwall") or word in _WALLS
            if not is_wall or word in ("sdoor", "scorr"):
                free.add((x, y))
            elif self.flag(x, y) & bit:
                left.add((x, y))
        good = left | free
        while left:
            x1, y1 = min(left, key=lambda place: (place[1], place[0]))
            x2, y2 = x1, y1
            while (x2 + 1, y1) in good:
                x2 += 1
            while y2 + 1 < ROWS and all((x, y2 + 1) in good for x in range(x1, x2 + 1)):
                y2 += 1
            left -= {(x, y) for x in range(x1, x2 + 1) for y in range(y1, y2 + 1)}
            yield x1, y1, x2, y2


def _rectangles(
    key: Callable[[int, int], tuple[str, bool] | None],
) -> Iterator[tuple[tuple[str, bool], tuple[int, int, int, int]]]:
    """Yields rectangles of squares with the same key."""
    done: set[tuple[int, int]] = set()
    for y1 in range(ROWS):
        for x1 in range(1, COLUMNS):
            wanted = key(x1, y1)
            if wanted is None or (x1, y1) in done:
                continue

            def fits(x: int, y: int, wanted: tuple[str, bool] | None = wanted) -> bool:
                return x < COLUMNS and y < ROWS and (x, y) not in done and key(x, y) == wanted

            x2, y2 = x1, y1
            while fits(x2 + 1, y1):
                x2 += 1
            while all(fits(x, y2 + 1) for x in range(x1, x2 + 1)):
                y2 += 1
            done |= {(x, y) for x in range(x1, x2 + 1) for y in range(y1, y2 + 1)}
            yield wanted, (x1, y1, x2, y2)


def _place(x: int, y: int) -> str:
    # Without a map, the first column is 0.
    return f"({x - 1},{y})"


def _region(x1: int, y1: int, x2: int, y2: int) -> str:
    return f"({x1 - 1},{y1},{x2 - 1},{y2})"


def _area(x1: int, y1: int, x2: int, y2: int) -> str:
    return _place(x1, y1) if (x1, y1) == (x2, y2) else f"fillrect {_region(x1, y1, x2, y2)}"


def _arrival(corners: list[int]) -> str:
    return f"levregion({','.join(map(str, corners if corners[0] else [1, 0, 1, 0]))})"


def _named(named: tuple[str | None, str | None]) -> str:
    symbol, name = named
    if symbol is None:
        return "random"
    return f"'{symbol}'" if name is None else f"('{symbol}', {_string(name)})"


def _string(text: str) -> str:
    if '"' in text or "\n" in text:
        raise RunError(f"a des-file cannot contain the text {text!r}", "")
    return f'"{text}"'
