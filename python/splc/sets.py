"""Sets of levels on disk: sampled in pieces, resumed after an interruption, and made again from what they contain.

A set is a folder. ``set.json`` describes it: the source, the game, the version of splc, the seeds, and the pieces. Each
piece is a Parquet file that depends on nothing but that description. So the files are the same however many processes
or machines write them, and a run that was interrupted continues with the pieces that are missing. Needs NumPy and
pyarrow.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _splc
from .diagnostics import RunError
from .extras import need
from .levels import LAYERS, Level, Sample, _load_again, load
from .maps import COLUMNS, ROWS
from .projects import Config
from .settings import USUAL, Hero, Settings, combined, range_of_seeds
from .sources import Catalog, Language, Source, as_names

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SCHEMA, VERSION = "splc-set", 1
DESCRIPTION = "set.json"

_HASH_BYTES = 16


@dataclasses.dataclass(frozen=True, repr=False)
class LevelSet:
    """A set of levels on disk. :func:`splc.sample` creates one, :func:`splc.open_set` opens it."""

    path: Path
    """The folder."""
    name: str
    """Name of the level."""
    target: str
    """Its game."""
    splc: str
    """The version of splc that made it."""
    seeds: range
    layers: tuple[str, ...]
    """The arrays that it contains."""
    piece: int
    """Number of levels in a piece."""
    settings: Settings
    _made_from: dict[str, Any]

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        missing = len(self.missing())
        state = f"{missing} of {self.pieces} pieces missing" if missing else f"{self.pieces} pieces"
        return f"<splc.LevelSet {self.name!r} for {self.target}: {len(self)} levels, {state}>"

    @property
    def pieces(self) -> int:
        """Number of pieces."""
        return -(-len(self.seeds) // self.piece)

    def file(self, number: int) -> Path:
        """Returns the path of a piece, which may be missing."""
        return self.path / f"levels-{number:06}.parquet"

    def missing(self) -> list[int]:
        """Returns the numbers of the pieces that are not written yet."""
        with os.scandir(self.path) as entries:
            there = {entry.name for entry in entries}
        return [number for number in range(self.pieces) if self.file(number).name not in there]

    def level(self) -> Level:
        """Returns the level that made the set. It is loaded from the set, not from the file that it came from."""
        return _load_again(*_from_json(self._made_from), self.name)

    def to_arrow(self, columns: Sequence[str] | None = None) -> Any:
        """Returns all levels as a ``pyarrow.Table``, or only some columns: ``seed``, ``hash``, ``fault`` and the
        layers.

        :raises FileNotFoundError: if pieces are missing.
        """
        import pyarrow
        import pyarrow.parquet

        wanted = None if columns is None else list(columns)
        return pyarrow.concat_tables(
            pyarrow.parquet.read_table(self.file(number), columns=wanted) for number in range(self.pieces)
        )

    def array(self, layer: str) -> npt.NDArray[np.uint8]:
        """Returns a layer of all levels, with shape (N, 21, 80).

        :raises FileNotFoundError: if pieces are missing.
        """
        import numpy

        if layer not in self.layers:
            raise LookupError(f"the set has no layer {layer!r}, only {', '.join(self.layers)}")
        squares = numpy.empty((len(self), ROWS, COLUMNS), numpy.uint8)
        for number in range(self.pieces):
            at = number * self.piece
            squares[at : at + self.piece] = _squares(self.to_piece(number, [layer]), layer)
        return squares

    def to_piece(self, number: int, columns: Sequence[str] | None = None) -> Any:
        """Returns a piece as a ``pyarrow.Table``."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self.file(number), columns=None if columns is None else list(columns))

    def __iter__(self) -> Iterator[Sample]:
        """Yields the levels piece by piece."""
        for number in range(self.pieces):
            table = self.to_piece(number)
            seeds = tuple(table["seed"].to_pylist())
            all_faults = enumerate(table["fault"].to_pylist())
            faults = {at: RunError(fault, self.name, seeds[at]) for at, fault in all_faults if fault}
            yield Sample(seeds, {layer: _squares(table, layer) for layer in self.layers}, faults)

    def split(self, test: float = 0.1) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Returns the positions of the levels for training and for testing.

        The hash of a level's squares decides, so equal levels of different seeds, and of other sets with the same
        layers, are never on both sides. Levels that could not be made are on neither.

        :param test: expected share of the levels for testing, 0 to 1.
        """
        import numpy

        if not 0 <= test <= 1:
            raise ValueError(f"test must be between 0 and 1, not {test}")
        limit = min(int(test * 2**64), 2**64 - 1)
        for_training: list[int] = []
        for_testing: list[int] = []
        table = self.to_arrow(["hash", "fault"])
        for at, (digest, fault) in enumerate(zip(table["hash"].to_pylist(), table["fault"].to_pylist())):
            if fault is None:
                chosen = for_testing if int.from_bytes(digest[:8], "big") < limit or test == 1 else for_training
                chosen.append(at)
        return numpy.array(for_training, numpy.int64), numpy.array(for_testing, numpy.int64)

    def verify(self, number: int) -> bool:
        """Makes a piece again, and returns true if it has the same bytes as the file."""
        made = _piece(self.level(), self, number, None)
        return made == self.file(number).read_bytes()


def sample(
    source: Level | Source,
    into: str | os.PathLike[str],
    seeds: int | range,
    target: str | None = None,
    *,
    layers: Sequence[str] = ("chars", "colors", "light", "terrain"),
    piece: int = 4096,
    executor: Executor | Any | None = None,
    threads: int | None = None,
    settings: Settings = USUAL,
    level: str | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> LevelSet:
    """Samples a level into a folder, piece by piece. If the folder has a part of the same set already, only the missing
    pieces are made. The files do not depend on the number of threads, processes or machines.

    :param source: a level, or its source as for :func:`splc.load`.
    :param seeds: a range of seeds, or a number N for the seeds 1 to N.
    :param layers: the arrays to keep: ``chars``, ``colors``, ``light``, ``terrain``, ``kinds``.
    :param piece: number of levels in a piece.
    :param executor: makes the pieces in parallel: a ``concurrent.futures.ProcessPoolExecutor``, a client of a Dask
        cluster, or another executor. All workers must see the same folder. By default the pieces are made here.
    :param threads: number of threads of each piece; by default one for each core, or one with an executor.
    :raises ValueError: if the folder has another set.
    """
    made = source if isinstance(source, Level) else load(
        source, target, level=level, catalog=catalog, language=language, config=config, isolated=isolated
    )  # fmt: skip
    wanted = range_of_seeds(seeds)
    if piece < 1:
        raise ValueError(f"a piece must have at least one level, not {piece}")
    chosen = tuple(as_names(layers))
    if unknown := [layer for layer in chosen if layer not in LAYERS]:
        raise ValueError(f"unknown layer {unknown[0]!r}; choose from: {', '.join(LAYERS)}")
    need("pyarrow", "store")
    kept = LevelSet(
        Path(into), made.name, made.target, _splc.version(), wanted, chosen, piece,
        combined(settings, made._usual), _to_json(*made._remade),
    )  # fmt: skip
    _describe(kept)
    missing = kept.missing()
    if executor is None:
        for number in missing:
            _write(kept.file(number), _piece(made, kept, number, threads))
        return kept
    # A Dask client is not an executor itself.
    pool = executor.get_executor() if hasattr(executor, "get_executor") else executor
    waiting: list[Future[None]] = [pool.submit(_make, kept.path, number, threads or 1) for number in missing]
    for done in as_completed(waiting):
        done.result()
    return kept


def open_set(path: str | os.PathLike[str]) -> LevelSet:
    """Opens a set of levels.

    :raises FileNotFoundError: if there is none.
    :raises ValueError: if it is of a version that this splc does not know.
    """
    need("pyarrow", "store")
    folder = Path(path)
    data = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    if data.get("schema") != SCHEMA or data.get("version") != VERSION:
        raise ValueError(f"{folder / DESCRIPTION} is not a set of levels that splc {_splc.version()} knows")
    hero = Hero(**{**data["settings"]["hero"], "carries": tuple(data["settings"]["hero"]["carries"])})
    settings = Settings(data["settings"]["depth"], data["settings"]["time"], hero)
    first, last = data["seeds"]
    return LevelSet(
        folder, data["name"], data["target"], data["splc"], range(first, last + 1), tuple(data["layers"]),
        data["piece"], settings, data["made_from"],
    )  # fmt: skip


def _describe(kept: LevelSet) -> None:
    """Writes the description, or compares it with the one that is there."""
    data = {
        "schema": SCHEMA,
        "version": VERSION,
        "name": kept.name,
        "target": kept.target,
        "splc": kept.splc,
        "seeds": [kept.seeds[0], kept.seeds[-1]],
        "layers": list(kept.layers),
        "piece": kept.piece,
        "settings": dataclasses.asdict(kept.settings),
        "made_from": kept._made_from,
    }
    text = json.dumps(data, indent=1) + "\n"
    kept.path.mkdir(parents=True, exist_ok=True)
    place = kept.path / DESCRIPTION
    if not place.exists():
        _write(place, text.encode())
    known = json.loads(place.read_text("utf-8"))
    if known != json.loads(text):
        keys = [key for key in data if known.get(key) != json.loads(text)[key]]
        raise ValueError(f"{kept.path} has another set of levels: a different {', '.join(keys)}")


def _write(place: Path, content: bytes) -> None:
    """Writes a file in one step: it is there whole, or not at all."""
    new = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        new.write_bytes(content)
        os.replace(new, place)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise


def _make(path: Path, number: int, threads: int | None) -> None:
    """Makes a piece in a worker, from the description alone."""
    kept = open_set(path)
    if not kept.file(number).exists():
        _write(kept.file(number), _piece(_known_level(path), kept, number, threads))


_known: tuple[Path, bytes, Level] | None = None


def _known_level(path: Path) -> Level:
    """Returns the level of a set. A worker loads it once for all of its pieces."""
    global _known
    description = (path / DESCRIPTION).read_bytes()
    if _known is None or _known[:2] != (path, description):
        _known = path, description, open_set(path).level()
    return _known[2]


def _piece(level: Level, kept: LevelSet, number: int, threads: int | None) -> bytes:
    """Returns the file of a piece."""
    import pyarrow
    import pyarrow.parquet

    seeds = kept.seeds[number * kept.piece : (number + 1) * kept.piece]
    made = level.sample(seeds, threads, layers=kept.layers, settings=kept.settings, errors="keep")
    hashes = []
    for at in range(len(made)):
        digest = hashlib.blake2b(digest_size=_HASH_BYTES)
        for layer in kept.layers:
            digest.update(made.layers[layer][at].data)
        hashes.append(digest.digest())
    table = made.to_arrow()
    faults = [made.faults[at].text if at in made.faults else None for at in range(len(made))]
    table = table.add_column(1, "hash", pyarrow.array(hashes, pyarrow.binary(_HASH_BYTES)))
    table = table.add_column(2, "fault", pyarrow.array(faults, pyarrow.string()))
    out = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, out, compression="zstd", version="2.6", store_schema=True)
    return bytes(out.getvalue())


def _squares(table: Any, layer: str) -> npt.NDArray[np.uint8]:
    import numpy

    flat = table[layer].combine_chunks()
    values = flat.flatten() if hasattr(flat, "flatten") else flat
    return numpy.asarray(values, dtype=numpy.uint8).reshape(-1, ROWS, COLUMNS)


# --- The source of a set as JSON. Paths only connect files that include each other, so any names will do.


def _to_json(
    source: _splc.Source, game: str, included: Sequence[_splc.Included], catalogs: Any, dungeon: _splc.Source | None
) -> dict[str, Any]:
    places: dict[str, str] = {}

    def place(path: str | os.PathLike[str] | None) -> str | None:
        if path is None:
            return None
        return places.setdefault(os.fspath(path), f"{len(places)}/{os.path.basename(path)}")

    name, path, content = source
    files, parents = catalogs or ([], [])
    more = {} if dungeon is None else {"dungeon": [os.path.basename(dungeon[0]), _text(dungeon[2])]}
    return {
        **more,
        "source": [os.path.basename(name), place(path), _text(content)],
        "target": game,
        "included": [[wanted, place(by), place(at), _text(read)] for wanted, by, at, read in included],
        "catalogs": [[os.path.basename(file), _text(read)] for file, read in files],
        "parents": [[wanted, os.path.basename(by), os.path.basename(shown), _text(read)]
                    for wanted, by, shown, read in parents],
    }  # fmt: skip


def _from_json(data: dict[str, Any]) -> tuple[_splc.Source, str, list[_splc.Included], Any, _splc.Source | None]:
    name, place, content = data["source"]
    included = [(wanted, by, at, _bytes(read)) for wanted, by, at, read in data["included"]]
    files = [(file, _bytes(read)) for file, read in data["catalogs"]]
    parents = [(wanted, by, shown, _bytes(read)) for wanted, by, shown, read in data["parents"]]
    made_in = data.get("dungeon")
    dungeon = None if made_in is None else (made_in[0], None, _bytes(made_in[1]))
    return (name, place, _bytes(content)), data["target"], included, (files, parents) if files else None, dungeon


def _text(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def _bytes(content: str | dict[str, str]) -> bytes:
    return content.encode() if isinstance(content, str) else base64.b64decode(content["base64"])
