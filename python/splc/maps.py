"""A finished level: arrays, records, pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from . import _splc
from .extras import need

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import Image
    from typing_extensions import NotRequired

    from .freezing import Frozen

ROWS, COLUMNS = 21, 80
"""The squares of a level; column 0 is not part of the map."""

PALETTE = (
    (85, 85, 110), (205, 49, 49), (30, 160, 60), (176, 118, 48),
    (60, 110, 235), (188, 63, 188), (17, 168, 205), (180, 180, 180),
    (85, 85, 110), (255, 130, 40), (80, 230, 120), (245, 225, 70),
    (110, 160, 255), (235, 120, 235), (100, 230, 245), (255, 255, 255),
)  # fmt: skip
"""Red, green and blue of each colour."""

_BACKGROUND = (12, 12, 16)
_MONSTER = 3
# Terminal foregrounds (SGR) for the colours. Black is bright black, to be visible on black.
_SGR = (90, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97)
# Size of a square in an SVG, in pixels.
_WIDTH, _HEIGHT = 8, 16


@dataclass(frozen=True)
class Statement:
    """The statement that created a thing."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Arrival:
    """An arrival region: within one rectangle and outside the other (x1, y1, x2, y2)."""

    within: tuple[int, int, int, int]
    outside: tuple[int, int, int, int]


@dataclass(frozen=True)
class LegendEntry:
    """A line of a legend, for all things of the same type."""

    subject: str
    """``rooms``, ``features``, ``traps``, ``monsters``, ``objects`` or ``engravings``."""
    symbol: str
    what: str
    places: tuple[tuple[int, int], ...]
    statements: tuple[Statement | None, ...]
    """The statement that created the thing at each place, if known."""


class MonsterRecord(TypedDict):
    """A monster."""

    x: int
    y: int
    what: str
    """A species, ``any h`` for a class, or ``any monster``."""
    species: int | None
    """Number of the species, or of the first of the class."""
    name: str | None
    appearance: str | None
    """Appearance, if disguised."""
    peaceful: bool | None
    asleep: bool | None
    statement: NotRequired[Statement | None]


class ObjectRecord(TypedDict):
    """An object."""

    x: int
    y: int
    what: str
    """A type, ``any (`` for a class, or ``any object``."""
    number: int | None
    """Number of the type."""
    whereabouts: Literal["floor", "buried", "contained", "carried", "gone"]
    container: int | None
    """Position of the object that contains it."""
    carrier: int | None
    """Position of the monster that carries it."""
    name: str | None
    monster: str | None
    """Species of the monster that it is, or was, part of."""
    quantity: int | None
    curse: Literal["blessed", "uncursed", "cursed"] | None
    enchantment: int | None
    statement: NotRequired[Statement | None]


class GoldRecord(TypedDict):
    """Gold on the floor."""

    x: int
    y: int
    amount: int
    """0 if the game chooses it."""
    statement: NotRequired[Statement | None]


class TrapRecord(TypedDict):
    """A trap."""

    x: int
    y: int
    what: str
    statement: NotRequired[Statement | None]


class EngravingRecord(TypedDict):
    """An engraving."""

    x: int
    y: int
    how: Literal["dust", "engraved", "burned", "marked", "blood", "headstone"]
    text: str
    statement: NotRequired[Statement | None]


class DoorRecord(TypedDict):
    """A door."""

    x: int
    y: int
    secret: bool
    state: str
    mask: int
    """State of the door as the game's bits."""
    horizontal: bool


class AltarRecord(TypedDict):
    """An altar."""

    x: int
    y: int
    what: str
    mask: int


class StairsRecord(TypedDict):
    """Stairs or a ladder."""

    x: int
    y: int
    what: Literal["up", "down", "ladder up", "ladder down", "branch"]


class RoomRecord(TypedDict):
    """A room."""

    area: list[int]
    """First and last column and row inside the walls: x1, y1, x2, y2."""
    kind: str
    lit: bool
    irregular: bool
    doors: int
    """Number of doors."""
    filling: str | None


class ArrivalRecord(TypedDict):
    """A region of arrival: inside one rectangle and outside another (x1, y1, x2, y2)."""

    within: list[int]
    outside: list[int]


class MirrorRecord(TypedDict):
    """Flip applied to a level."""

    area: list[int]
    left_to_right: bool
    top_to_bottom: bool


class LevelRecord(TypedDict):
    """A finished level as data: ``splc schema run`` documents each key."""

    terrain: list[str]
    picture: list[str]
    light: list[str]
    key: list[list[str]]
    flags: list[str]
    doors: list[DoorRecord]
    altars: list[AltarRecord]
    rooms: list[RoomRecord]
    subrooms: list[RoomRecord]
    stairs: list[StairsRecord]
    arrival_from_below: ArrivalRecord | None
    arrival_from_above: ArrivalRecord | None
    branches: list[ArrivalRecord]
    mirrored: MirrorRecord | None
    monsters: list[MonsterRecord]
    objects: list[ObjectRecord]
    gold: list[GoldRecord]
    traps: list[TrapRecord]
    engravings: list[EngravingRecord]
    messages: list[str]


@dataclass(frozen=True)
class Map:
    """A finished level of one seed.

    Arrays have type ``uint8`` and shape (21, 80): row and column as the game counts them, so that column 0 is empty
    and ``[:, 1:]`` are the (21, 79) squares of NLE's observations. Only the arrays need NumPy.
    """

    name: str
    """Name of the level."""
    target: str
    """Its game."""
    title: str
    """The title of the game."""
    seed: int
    draws: int
    """Number of draws."""
    terrain_names: tuple[str, ...]
    """Names of the numbers in :attr:`terrain`."""
    legend: tuple[LegendEntry, ...]
    """The things on the level and their places."""
    remarks: tuple[str, ...]
    """Complaints of the game's loader."""
    document: str
    """The level as JSON, as written by ``splc run --json``."""
    _layers: tuple[bytes, bytes, bytes, bytes, bytes]
    _statements: dict[str, tuple[Statement | None, ...]]
    _freeze: Callable[[], Frozen] = field(compare=False)

    @classmethod
    def _made(cls, level: _splc.Level, seed: int, made: _splc.Made, freeze: Callable[[], Frozen]) -> Map:
        layers, document, draws, things, legend, remarks = made
        named = [None if row is None else Statement(*row) for row in level.statements]

        def statement(at: int | None) -> Statement | None:
            return None if at is None else named[at]

        entries = tuple(
            LegendEntry(
                subject,
                symbol,
                what,
                tuple((x, y) for x, y, _ in places),
                tuple(statement(at) for _, _, at in places),
            )
            for subject, symbol, what, places in legend
        )
        said = []
        for at, words, count in remarks:
            of = statement(at)
            place = "" if of is None else f"{of.file}:{of.line}: "
            said.append(f"{place}{words}" + (f" ({count} times)" if count > 1 else ""))
        names = ("monsters", "objects", "gold", "traps", "engravings")
        statements = {name: tuple(map(statement, ats)) for name, ats in zip(names, things)}
        chars, colors, light, terrain, kinds = layers
        return cls(
            level.name, level.target, level.title, seed, draws, tuple(level.terrain_names), entries, tuple(said),
            document, (chars, colors, light, terrain, kinds), statements, freeze,
        )  # fmt: skip

    # --- Arrays

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The symbols, for ``numpy.asarray(map)``."""
        if copy is False:
            raise ValueError("a map can only be converted to an array by copying")
        return self.chars if dtype is None else self.chars.astype(dtype)

    def __dlpack__(self, **options: Any) -> Any:
        """The symbols, for ``torch.from_dlpack(map)`` and similar functions."""
        return self.chars.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The processor's memory."""
        return 1, 0

    def _array(self, layer: int) -> npt.NDArray[np.uint8]:
        need("numpy", "arrays")
        import numpy

        return numpy.frombuffer(bytearray(self._layers[layer]), dtype=numpy.uint8).reshape(ROWS, COLUMNS)

    @property
    def chars(self) -> npt.NDArray[np.uint8]:
        """Symbols as the game draws them, things on top."""
        return self._array(0)

    @property
    def colors(self) -> npt.NDArray[np.uint8]:
        """Colours of the symbols, 0 to 15, as NLE counts them."""
        return self._array(1)

    @property
    def light(self) -> npt.NDArray[np.uint8]:
        """1 for lit squares."""
        return self._array(2)

    @property
    def terrain(self) -> npt.NDArray[np.uint8]:
        """Types of squares, by their numbers in the game."""
        return self._array(3)

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """Types of the visible things: 0 terrain, 1 a trap, 2 an object, 3 a monster."""
        return self._array(4)

    # --- Records

    def records(self) -> LevelRecord:
        """Returns the whole level as data, in the form of ``splc run --json``."""
        data: LevelRecord = json.loads(self.document)
        return data

    def _list(self, name: str) -> list[Any]:
        records: list[Any] = json.loads(self.document)[name]
        statements = self._statements.get(name, ())
        for record, statement in zip(records, statements):
            record["statement"] = statement
        return records

    @property
    def monsters(self) -> list[MonsterRecord]:
        """The monsters: ``x``, ``y``, ``what`` and more, and the ``statement`` that created each."""
        return self._list("monsters")

    @property
    def objects(self) -> list[ObjectRecord]:
        """The objects, including carried, contained and buried ones."""
        return self._list("objects")

    @property
    def gold(self) -> list[GoldRecord]:
        """The gold on the floor."""
        return self._list("gold")

    @property
    def traps(self) -> list[TrapRecord]:
        """The traps."""
        return self._list("traps")

    @property
    def engravings(self) -> list[EngravingRecord]:
        """The engravings."""
        return self._list("engravings")

    @property
    def doors(self) -> list[DoorRecord]:
        """Doors and secret doors."""
        return self._list("doors")

    @property
    def stairs(self) -> list[StairsRecord]:
        """Stairs and ladders."""
        return self._list("stairs")

    @property
    def rooms(self) -> list[RoomRecord]:
        """The rooms."""
        return self._list("rooms")

    @property
    def flags(self) -> list[str]:
        """Flags of the level that are on."""
        return self.records()["flags"]

    @property
    def messages(self) -> list[str]:
        """Messages that the player reads on arrival."""
        return self.records()["messages"]

    @property
    def arrival_from_above(self) -> Arrival | None:
        """The arrival region from above, if the level sets one. MiniHack's agent starts there."""
        return _arrival(self.records()["arrival_from_above"])

    @property
    def arrival_from_below(self) -> Arrival | None:
        """The arrival region from below, if the level sets one."""
        return _arrival(self.records()["arrival_from_below"])

    def to_des(self) -> Frozen:
        """Returns this map as a source that always makes just it, like :meth:`Level.freeze` with its seed and
        settings: a des-file, or a Lua script for NetHack 5."""
        return self._freeze()

    # --- Pictures

    def _rows(self) -> Iterator[list[tuple[str, int, int, int]]]:
        """Yields symbol, colour, light and kind of the squares of each row, from column 1 on."""
        chars, colors, light, _, kinds = self._layers
        for y in range(ROWS):
            row = slice(y * COLUMNS + 1, (y + 1) * COLUMNS)
            yield list(zip(map(chr, chars[row]), colors[row], light[row], kinds[row]))

    @property
    def text(self) -> str:
        """The symbols: 21 lines without trailing blanks."""
        return "".join("".join(square[0] for square in row).rstrip() + "\n" for row in self._rows())

    @property
    def ansi(self) -> str:
        """The symbols in colour, for a terminal."""
        lines = []
        for row in self._rows():
            line, last = [], ""
            for symbol, color, light, kind in row[: len("".join(square[0] for square in row).rstrip())]:
                dim = kind == 0 and symbol == "." and not light
                style = ("1;" if kind == _MONSTER else "2;" if dim else "") + str(_SGR[color])
                if style != last and symbol != " ":
                    line.append(f"\x1b[0;{style}m")
                    last = style
                line.append(symbol)
            lines.append("".join(line) + ("\x1b[0m" if last else ""))
        return "\n".join(lines) + "\n"

    def svg(self) -> str:
        """Returns the level as an SVG picture. Tooltips show each thing and the statement that created it."""
        width, height = (COLUMNS - 1) * _WIDTH, ROWS * _HEIGHT
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="monospace" font-size="13" text-anchor="middle" role="img">',
            f"<title>{escape(self.name)}, seed {self.seed}</title>",
            f'<rect width="{width}" height="{height}" fill="{_hex(_BACKGROUND)}"/>',
        ]
        named: dict[tuple[int, int], list[str]] = {}
        for entry in self.legend:
            for place, statement in zip(entry.places, entry.statements):
                named.setdefault(place, []).append(entry.what + ("" if statement is None else f"\n  {statement}"))
        for y, row in enumerate(self._rows()):
            for column, (symbol, color, light, kind) in enumerate(row):
                x, place = column * _WIDTH, (column + 1, y)
                if symbol == " " and place not in named:
                    continue
                dim = ' opacity=".55"' if kind == 0 and not light else ""
                bold = ' font-weight="bold"' if kind == _MONSTER else ""
                drawn = (
                    f'<text x="{x + _WIDTH // 2}" y="{y * _HEIGHT + 12}" fill="{_hex(PALETTE[color])}"{dim}{bold}>'
                    f"{escape(symbol)}</text>"
                )
                if place in named:
                    what = escape(f"{place[0]},{place[1]}: " + "\n".join(reversed(named[place])))
                    box = f'<rect x="{x}" y="{y * _HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" fill-opacity="0"/>'
                    drawn = f"<g><title>{what}</title>{drawn}{box}</g>"
                parts.append(drawn)
        return "".join(parts) + "</svg>"

    def _repr_html_(self) -> str:
        return (
            f"<figure style='margin:0'><figcaption>{escape(self.name)}, seed {self.seed} "
            f"({escape(self.title)})</figcaption>{self.svg()}</figure>"
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<splc.Map {self.name!r}, seed {self.seed}, for {self.title}>"

    def to_image(self, tile: int = 16) -> Image.Image:
        """Returns the level as a picture of 79 by 21 tiles; needs Pillow.

        :param tile: size of a tile in pixels, 8 to 256.
        """
        if not 8 <= tile <= 256:
            raise ValueError(f"tile must be between 8 and 256 pixels, not {tile}")
        need("PIL", "image")
        from PIL import Image

        inks, grounds = bytearray(), bytearray()
        symbols = []
        for row in self._rows():
            for symbol, color, light, kind in row:
                ink = PALETTE[color]
                share = 60 if kind == _MONSTER else 0 if symbol == " " else 30 if light else 14
                inks.extend(PALETTE[15] if kind == _MONSTER else ink)
                grounds.extend((low * (100 - share) + high * share) // 100 for low, high in zip(_BACKGROUND, ink))
                symbols.append(ord(symbol))
        pixels = _splc.tiles(bytes(symbols), bytes(inks), bytes(grounds), COLUMNS - 1, tile)
        return Image.frombytes("RGB", ((COLUMNS - 1) * tile, ROWS * tile), pixels)


def _arrival(record: ArrivalRecord | None) -> Arrival | None:
    if record is None:
        return None
    (a, b, c, d), (e, f, g, h) = record["within"], record["outside"]
    return Arrival((a, b, c, d), (e, f, g, h))


def _hex(color: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in color)
