"""Levels that are ready to run: once, or thousands of times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from . import _splc
from .diagnostics import CompileError, RunError, from_rows
from .extras import need
from .freezing import Frozen
from .maps import COLUMNS, ROWS, Map
from .projects import Config, Given, in_dungeon
from .settings import USUAL, Settings, combined, from_row, many_seeds, one_seed, ranges, to_row
from .sources import Catalog, Files, Language, Recorded, Source, as_names, judge, load_catalogs, read_source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LAYERS = ("chars", "colors", "light", "terrain", "kinds")
"""The names of the arrays: see :class:`splc.Map`."""


class Table(dict[str, "list[Any]"]):
    """Columns of the same length by name. Can be used like a dict of columns, e.g. for ``pandas.DataFrame``."""

    def to_pandas(self) -> Any:
        """Returns the table as a ``pandas.DataFrame``; needs pandas."""
        need("pandas", "pandas")
        import pandas

        return pandas.DataFrame(dict(self))

    def to_arrow(self) -> Any:
        """Returns the table as a ``pyarrow.Table``; needs pyarrow."""
        need("pyarrow", "store")
        import pyarrow

        return pyarrow.table(dict(self))

    def __repr__(self) -> str:
        count = len(next(iter(self.values()), []))
        return f"<splc.Table: {count} rows of {', '.join(self)}>"

    def rows(self) -> list[dict[str, Any]]:
        """Returns a dict for each row."""
        return [dict(zip(self, row)) for row in zip(*self.values())]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) + "</tr>"
            for row in zip(*self.values())
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shown(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


@dataclass(frozen=True, repr=False)
class Stats:
    """Statistics of many runs of a level."""

    levels: int
    """Number of finished levels."""
    draws: tuple[int, int, float] | None
    """Minimum, maximum and average number of draws."""
    things: Table
    """The things: ``kind``, ``name``, ``total``, ``mean`` per level, number of ``levels`` that have it, ``fewest`` and
    ``most`` in a level."""
    rooms: Table
    """Number of ``levels`` for each number of ``rooms``."""
    failed_rooms: Table
    """Room statements: the numbers of times each was ``tried``, and ``failed`` to find a place."""
    remarks: Table
    """Complaints of the loader: ``statement``, ``remark``, ``count``, ``levels``."""
    faults: Table
    """Reasons why runs failed: ``fault``, ``count``, ``first_seed``."""

    def to_pandas(self) -> Any:
        """Returns the things as a ``pandas.DataFrame``; needs pandas."""
        return self.things.to_pandas()

    def to_arrow(self) -> Any:
        """Returns the things as a ``pyarrow.Table``; needs pyarrow."""
        return self.things.to_arrow()

    def __repr__(self) -> str:
        return f"<splc.Stats: {self.levels} levels, {len(self.things['name'])} kinds of things>"

    def _repr_html_(self) -> str:
        return self.things._repr_html_()


@dataclass(frozen=True, repr=False)
class Sample:
    """Many levels as arrays of shape (N, 21, 80). Only the requested layers are present."""

    seeds: tuple[int, ...]
    layers: Mapping[str, npt.NDArray[np.uint8]]
    faults: Mapping[int, RunError]
    """Failed levels by their position among the seeds, only with ``errors="keep"``. Their squares are 0."""

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"<splc.Sample: {len(self)} levels, {', '.join(self.layers)}>"

    def to_arrow(self) -> Any:
        """Returns a ``pyarrow.Table`` with a row for each level: its seed, and each layer as a list of 1680 squares,
        row by row. The squares are not copied. Needs pyarrow."""
        need("pyarrow", "store")
        import pyarrow

        columns = {"seed": pyarrow.array(self.seeds, pyarrow.uint64())}
        for name, squares in self.layers.items():
            flat = pyarrow.array(squares.reshape(-1), pyarrow.uint8())
            columns[name] = pyarrow.FixedSizeListArray.from_arrays(flat, ROWS * COLUMNS)
        return pyarrow.table(columns)

    def to_pandas(self) -> Any:
        """Returns a ``pandas.DataFrame`` with a row for each level: its seed, and each layer as an array of shape
        (21, 80) that shares the memory of the sample. Needs pandas."""
        need("pandas", "pandas")
        import pandas

        return pandas.DataFrame({"seed": self.seeds, **{name: list(squares) for name, squares in self.layers.items()}})

    def _layer(self, name: str) -> npt.NDArray[np.uint8]:
        if name not in self.layers:
            raise LookupError(f"{name!r} was not sampled, only {', '.join(self.layers)}; name it in layers=")
        return self.layers[name]

    @property
    def chars(self) -> npt.NDArray[np.uint8]:
        """Symbols."""
        return self._layer("chars")

    @property
    def colors(self) -> npt.NDArray[np.uint8]:
        """Colours, 0 to 15."""
        return self._layer("colors")

    @property
    def light(self) -> npt.NDArray[np.uint8]:
        """1 for lit squares."""
        return self._layer("light")

    @property
    def terrain(self) -> npt.NDArray[np.uint8]:
        """Types of squares, as indices of :attr:`Level.terrain_names`."""
        return self._layer("terrain")

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """0 for terrain, 1 for a trap, 2 for an object, 3 for a monster."""
        return self._layer("kinds")


@dataclass(frozen=True, repr=False)
class Measures:
    """Measures of many levels: an array of ``int32`` for each, with a number for each seed.

    All lengths are moves of a hero on foot, in eight directions, but straight through doorways. Without a way, a start
    or a goal, a length is -1. The start is the stairs or ladder up, or else every open square of the region in which a
    hero arrives from above; the goal is the stairs or ladder down, unless :meth:`Level.measure` is given others.
    """

    seeds: tuple[int, ...]
    open: npt.NDArray[np.int32]
    """Squares to stand on: doors, corridors, floors and everything on floors."""
    reachable: npt.NDArray[np.int32]
    """Squares with a way from the start, which is included."""
    goal: npt.NDArray[np.int32]
    """Moves from the start to the goal."""
    monster: npt.NDArray[np.int32]
    """Moves from the start to the nearest monster."""
    object: npt.NDArray[np.int32]
    """Moves from the start to the nearest object or gold on the floor."""
    farthest: npt.NDArray[np.int32]
    """Moves from the start to the farthest reachable square."""
    things: npt.NDArray[np.int32]
    """Squares with monsters, floor objects or gold."""
    apart: npt.NDArray[np.int32]
    """Squares with things, but without a way from the start."""
    dead_ends: npt.NDArray[np.int32]
    """Open squares, other than doors, with exactly one passable square among their four direct neighbours."""
    walls: npt.NDArray[np.int32]
    """Walls, stone, trees and other rock in the smallest rectangle around everything but stone. ``walls / area`` is the
    density of walls."""
    area: npt.NDArray[np.int32]
    """Squares of that rectangle."""
    difficulty: npt.NDArray[np.int32]
    """Sum of the difficulties of the monsters, by the game's own table (``monstr[]``, ``mons[].difficulty``). Monsters
    that the game chooses when it loads the level do not count. -1 for a game whose table is unknown."""
    hardest: npt.NDArray[np.int32]
    """The greatest of those difficulties."""
    distances: npt.NDArray[np.int16] | None
    """Moves from the start to each square, with shape (N, 21, 80), if asked."""
    faults: Mapping[int, RunError]
    """Failed levels by their position among the seeds, only with ``errors="keep"``. Their numbers are -1."""

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"<splc.Measures of {len(self)} levels>"

    @property
    def table(self) -> Table:
        """All measures but the distances, with a row for each level."""
        return Table(seed=list(self.seeds), **{name: getattr(self, name).tolist() for name in _splc.measure_names()[0]})

    def to_pandas(self) -> Any:
        """Returns the measures as a ``pandas.DataFrame``; needs pandas."""
        need("pandas", "pandas")
        import pandas

        columns = {name: getattr(self, name) for name in _splc.measure_names()[0]}
        return pandas.DataFrame({"seed": self.seeds, **columns})

    def to_arrow(self) -> Any:
        """Returns the measures as a ``pyarrow.Table``; needs pyarrow."""
        need("pyarrow", "store")
        import pyarrow

        columns = {name: pyarrow.array(getattr(self, name)) for name in _splc.measure_names()[0]}
        return pyarrow.table({"seed": pyarrow.array(self.seeds, pyarrow.uint64()), **columns})


WAYS = ("doors", "locked", "secret", "boulders")
"""The obstacles that a hero passes by default, with patience."""


class Level:
    """A level that is ready to run, any number of times. :func:`splc.load` returns one.

    It can be pickled, and is then loaded again from its source. A process may fork with it.
    """

    def __init__(self, compiled: _splc.Level, remade: tuple[Any, ...], usual: Settings = USUAL) -> None:
        self._compiled = compiled
        self._remade = remade
        self._usual = usual

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _load_again, self._again()

    def _again(self) -> tuple[Any, ...]:
        """The arguments of :func:`_load_again`."""
        return (*self._remade, self.name, self._usual)

    def _around(self, settings: Settings) -> _splc.Around:
        return to_row(combined(settings, self._usual))

    @property
    def name(self) -> str:
        """Its name, which is that of its file."""
        return self._compiled.name

    @property
    def target(self) -> str:
        """Its game, as a value for ``target=``."""
        return self._compiled.target

    @property
    def terrain_names(self) -> tuple[str, ...]:
        """Names of the numbers in arrays of terrain, which are those of the game (``include/rm.h``)."""
        return tuple(self._compiled.terrain_names)

    def __repr__(self) -> str:
        return f"<splc.Level {self.name!r} for {self._compiled.title}>"

    def run(self, seed: int = 1, settings: Settings = USUAL) -> Map:
        """Runs the level as the game's loader would. The same seed always produces the same level.

        :param seed: 0 to 2**64 - 1.
        :raises RunError: if the game would give up, crash or hang.
        """
        made, fault = self._compiled.run(one_seed(seed), self._around(settings))
        if made is None:
            raise self._error(fault or ("", None), seed)
        freeze = partial(_freeze_again, self._again(), seed, settings)
        return Map._made(self._compiled, seed, made, freeze)

    def freeze(self, seed: int = 1, settings: Settings = USUAL) -> Frozen:
        """Returns the level of one seed as a source that always makes just that level: a des-file, or a Lua script for
        NetHack 5. What cannot be pinned is named in :attr:`Frozen.lost` and :attr:`Frozen.added`.

        :raises RunError: if the game would give up, crash or hang.
        :raises ValueError: for NetHack 3.4.3, whose language cannot say it.
        """
        seed = one_seed(seed)
        self.run(seed, settings)  # for its errors
        made, reason, rows = _splc.freeze(self._compiled, seed, self._around(settings))
        if rows:
            raise CompileError(from_rows(rows), reason)
        if made is None:
            raise ValueError(f"{self.name} for {self.target}: {reason}")
        text, proven, lost, added = made
        return Frozen(text, proven, tuple(lost), tuple(added))

    def sample(
        self,
        seeds: int | Iterable[int],
        threads: int | None = None,
        *,
        layers: Sequence[str] = ("chars", "colors", "light", "terrain"),
        settings: Settings = USUAL,
        errors: Literal["raise", "keep"] = "raise",
    ) -> Sample:
        """Runs the level with many seeds at once and returns arrays; needs NumPy. The interpreter's lock is released.

        :param seeds: the seeds, or a number N for the seeds 1 to N, as on the command line.
        :param threads: number of threads; by default one for each core. It does not affect the result.
        :param layers: the arrays to return: ``chars``, ``colors``, ``light``, ``terrain``, ``kinds``.
        :param errors: handling of failed levels: ``raise``, or ``keep`` them in :attr:`Sample.faults`.
        :raises RunError: for the first failed level, unless errors are kept.
        """
        need("numpy", "arrays")
        import numpy

        wanted, chosen, keep = list(many_seeds(seeds)), as_names(layers), _keeps(errors)
        squares, faults = self._compiled.sample(wanted, chosen, threads, self._around(settings))
        kept = self._faults(faults, wanted, keep)
        shape = (len(chosen), len(wanted), ROWS, COLUMNS)
        arrays = numpy.frombuffer(squares, dtype=numpy.uint8).reshape(shape)
        return Sample(tuple(wanted), dict(zip(chosen, arrays)), kept)

    def measure(
        self,
        seeds: int | Iterable[int],
        threads: int | None = None,
        *,
        through: Iterable[str] = WAYS,
        start: tuple[int, int] | None = None,
        goal: tuple[int, int] | None = None,
        distances: bool = False,
        settings: Settings = USUAL,
        errors: Literal["raise", "keep"] = "raise",
    ) -> Measures:
        """Runs the level with many seeds and measures each: reachable area, lengths of ways, dead ends, walls. Takes
        the arguments of :meth:`sample`; needs NumPy.

        :param through: obstacles that cost a hero nothing: ``doors`` (closed), ``locked`` (doors), ``secret`` (doors
            and corridors), ``boulders``, ``drawbridges`` (raised), ``water``, ``lava``. All others block.
        :param start: the start, as column and row, instead of the level's.
        :param goal: the goal, as column and row, instead of the stairs down.
        :param distances: also returns the distance of every square from the start.
        """
        need("numpy", "arrays")
        import numpy

        wanted, keep = list(many_seeds(seeds)), _keeps(errors)
        for name, place in (("start", start), ("goal", goal)):
            if place is not None and not (1 <= place[0] < COLUMNS and 0 <= place[1] < ROWS):
                raise ValueError(f"{name} must be a column from 1 to 79 and a row from 0 to 20, not {place}")
        numbers, squares, faults = _splc.measure(
            self._compiled, wanted, as_names(through), (start, goal), distances, threads, self._around(settings)
        )
        kept = self._faults(faults, wanted, keep)
        names = _splc.measure_names()[0]
        columns = numpy.frombuffer(numbers, dtype=numpy.int32).reshape(len(wanted), len(names)).T
        all_distances = numpy.frombuffer(squares, dtype=numpy.int16).reshape(-1, ROWS, COLUMNS) if distances else None
        measures = dict(zip(names, map(numpy.ascontiguousarray, columns)))
        return Measures(tuple(wanted), **measures, distances=all_distances, faults=kept)

    def stats(
        self, seeds: int | Iterable[int] = 1000, threads: int | None = None, *, settings: Settings = USUAL
    ) -> Stats:
        """Runs the level with many seeds and returns statistics. Takes the arguments of :meth:`sample`."""
        counts = self._compiled.stats(ranges(many_seeds(seeds)), threads, self._around(settings))
        levels, draws, things, rooms, failed, remarks, faults = counts
        statement = self._statement
        return Stats(
            levels,
            draws,
            Table(
                kind=[row[0] for row in things],
                name=[row[1] for row in things],
                total=[row[2] for row in things],
                mean=[row[2] / max(levels, 1) for row in things],
                levels=[row[3] for row in things],
                fewest=[row[4] for row in things],
                most=[row[5] for row in things],
            ),
            Table(rooms=[row[0] for row in rooms], levels=[row[1] for row in rooms]),
            Table(
                statement=[statement(row[0]) for row in failed],
                tried=[row[1] for row in failed],
                failed=[row[2] for row in failed],
            ),
            Table(
                statement=[statement(row[0]) for row in remarks],
                remark=[row[1] for row in remarks],
                count=[row[2] for row in remarks],
                levels=[row[3] for row in remarks],
            ),
            Table(
                fault=[row[0] for row in faults],
                count=[row[1] for row in faults],
                first_seed=[row[2] for row in faults],
            ),
        )

    def _statement(self, at: int | None) -> str | None:
        named = None if at is None else self._compiled.statements[at]
        return None if named is None else f"{named[0]}:{named[1]}"

    def _faults(
        self, faults: list[tuple[int, _splc.Fault]], seeds: Sequence[int], keep: bool
    ) -> dict[int, RunError]:
        """Returns the failed levels by position, or raises the first."""
        kept = {at: self._error(fault, seeds[at]) for at, fault in faults}
        if kept and not keep:
            raise kept[min(kept)]
        return kept

    def _error(self, fault: _splc.Fault, seed: int) -> RunError:
        return RunError(fault[0], self.name, seed, self._statement(fault[1]))


def _keeps(errors: Literal["raise", "keep"]) -> bool:
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors must be 'raise' or 'keep', not {errors!r}")
    return errors == "keep"


def load(
    source: Source,
    target: str | None = None,
    *,
    level: str | None = None,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    dungeon: Config | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> Level:
    """Loads a level of a des-file, a Lua script or a level file.

    :param source: text, bytes or a path.
    :param target: as for :func:`splc.compile`.
    :param level: the name of the level, if the file has several.
    :param include: as for :func:`splc.compile`.
    :param catalog: as for :func:`splc.compile`.
    :param language: as for :func:`splc.compile`.
    :param dungeon: as for :func:`splc.check`.
    :param config: as for :func:`splc.compile`; the depth and hero of the project are those of runs without others.
    :param isolated: ignores project files.
    :raises CompileError: with every mistake in the source.
    :raises LookupError: if no level has that name, or if there are several and no name is given.
    """
    given = Given([source], target, None, (), (), include, catalog, dungeon, config, isolated)
    levels = _load(read_source(source, name, language), given, stacklevel=3)
    if level is None and len(levels) == 1:
        return next(iter(levels.values()))
    if level in levels:
        return levels[level]
    names = ", ".join(levels) or "none"
    what = "name one of its levels with level=" if level is None else f"no level named {level!r}"
    raise LookupError(f"{what}; choose from: {names}")


def load_all(
    source: Source,
    target: str | None = None,
    *,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    dungeon: Config | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> dict[str, Level]:
    """Loads all levels of a source, by name; otherwise like :func:`load`."""
    given = Given([source], target, None, (), (), include, catalog, dungeon, config, isolated)
    return _load(read_source(source, name, language), given, stacklevel=3)


def _load(source: _splc.Source, given: Given, stacklevel: int) -> dict[str, Level]:
    levels, rows, game, included = _splc.load(source, given.in_dungeon())
    judge(rows, stacklevel=stacklevel)
    usual = USUAL if given.project is None else from_row(given.project.around)
    remade = source, game, included, given.catalogs, given.dungeon
    return {level_name: Level(level, remade, usual) for level_name, level in levels}


def _load_again(
    source: _splc.Source,
    game: str,
    included: Sequence[_splc.Included],
    catalogs: Recorded | None,
    dungeon: _splc.Source | None,
    name: str,
    usual: Settings = USUAL,
) -> Level:
    """Called by pickle. Reads no files, only the recorded content."""
    known, read = load_catalogs(catalogs)
    options = _splc.Requested(game, None, [], [], {}, list(included), known, None, [])
    levels, _, game, included = _splc.load(source, options if dungeon is None else in_dungeon(options, dungeon))
    return Level(dict(levels)[name], (source, game, included, read, dungeon), usual)


def _freeze_again(again: tuple[Any, ...], seed: int, settings: Settings) -> Frozen:
    """Called by a map, which can have been pickled: it has the source of its level, not the level."""
    return _load_again(*again).freeze(seed, settings)
