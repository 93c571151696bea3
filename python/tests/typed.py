"""A program that uses every public name of splc. Type checkers read it in their strictest mode, and a test runs it."""

from __future__ import annotations

import pickle
import tempfile
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import splc
import splc.minihack

GAME = "nethack-3.6.7-nle"
TEXT = """MAZE: "mylevel", ' '
GEOMETRY: center, center
MAP
---------
|.......|
|.......|
---------
ENDMAP
STAIR: (1,1), up
STAIR: (7,2), down
MONSTER: ('r', "sewer rat"), random
OBJECT: ('%', "apple"), random
"""


def sources(folder: Path) -> None:
    """Compiles, checks and rewrites sources."""
    path = folder / "mylevel.des"
    path.write_text(TEXT)
    source: splc.Source = path
    language: splc.Language = "des"
    assert_type(splc.compile(source, GAME), "dict[str, bytes]")
    made = splc.compile(TEXT, GAME, language=language, allow=["lit-by-chance"], include={"more.inc": "", "bytes": b""})
    both = splc.compile_many([TEXT, "LEVEL:"], GAME, errors="return")
    assert [type(one) for one in both] == [dict, splc.CompileError]
    assert splc.compile_many([TEXT], GAME)[0] == made
    assert "sewer rat" in splc.decompile(made["mylevel.lev"], GAME)
    assert splc.format(TEXT, GAME) and splc.gen(GAME, seed=3)
    fixed: splc.Fixed = splc.fix(TEXT.replace("('r', \"sewer rat\")", "'r', \"sewer rat\""), GAME)
    assert_type(fixed.changes, "tuple[str, ...]")
    ported: splc.Ported = splc.port(TEXT, "nethack-5.0.0", GAME)
    assert list(ported.files) == ["mylevel.lua"] and ported.text and ported.account is not None
    assert splc.read_archive(splc.archive(made)) == made
    catalog: splc.Catalog = []
    games: list[splc.Target] = splc.targets(catalog)
    assert GAME in [game.name for game in games] and splc.explain("E0203") and splc.__version__


def mistakes() -> None:
    """Reads the places of mistakes."""
    for diagnostic in splc.check(TEXT.replace("apple", "aple"), GAME):
        assert_type(diagnostic, splc.Diagnostic)
        assert_type(diagnostic.span, "splc.Span | None")
        labels: tuple[splc.Label, ...] = diagnostic.labels
        edits: tuple[splc.Edit, ...] = diagnostic.edits
        assert diagnostic.span is not None and diagnostic.span.line == 12
        assert edits[0].replacement and not labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", splc.CompileWarning)
        try:
            splc.load("LEVEL:", GAME)
        except splc.CompileError as error:
            assert error.diagnostics[0].severity == "error"
        try:
            splc.load('LEVEL: "x"\n$a = { 1 }\nGOLD: $a[1], (1,1)\n', GAME).run()
        except splc.RunError as error:
            assert_type(error.seed, "int | None")


def levels() -> None:
    """Runs, samples, measures and compares levels."""
    level: splc.Level = splc.load(TEXT, GAME)
    assert list(splc.load_all(TEXT, GAME)) == [level.name]
    around = splc.Settings(depth=3, hero=splc.Hero(role="Wizard", alignment="neutral", carries=("apple",)))
    made: splc.Map = level.run(7, around)
    chars: npt.NDArray[np.uint8] = made.chars
    assert chars.shape == (21, 80) and np.asarray(made).dtype == np.uint8
    assert [monster["what"] for monster in made.monsters] == ["sewer rat"]
    assert [thing["quantity"] for thing in made.objects] and made.records()["stairs"][0]["what"]
    arrival: splc.Arrival | None = made.arrival_from_above
    assert arrival is None and made.text and made.svg() and made.legend[0].places
    frozen: splc.Frozen = made.to_des()
    assert frozen.proven and frozen.text == level.freeze(7).text
    sample: splc.Sample = level.sample(20, threads=2, layers=["chars", "kinds"], errors="keep")
    assert_type(sample.kinds, "npt.NDArray[np.uint8]")
    measures: splc.Measures = level.measure(range(1, 21), through=["doors"], distances=True)
    assert measures.distances is not None and int(measures.reachable.min()) > 0
    stats: splc.Stats = level.stats(20)
    table: splc.Table = stats.things
    assert table.rows()[0]["levels"] == 20 and pickle.loads(pickle.dumps(level)).run(1) == level.run(1)
    verdict: splc.Verdict = splc.equiv(level, level, seeds=10)
    assert_type(verdict.seeds, "tuple[int, int] | None")
    findings: list[splc.Finding] = splc.test(TEXT, GAME, seeds=5)
    assert all(finding.diagnostic.code and finding.place for finding in findings)


def sets(folder: Path) -> None:
    """Samples into a folder, and reads it."""
    with ThreadPoolExecutor(2) as workers:
        kept: splc.LevelSet = splc.sample(TEXT, folder / "set", 64, GAME, piece=16, executor=workers)
    training, testing = splc.open_set(folder / "set").split(0.25)
    assert_type(training, "npt.NDArray[np.int64]")
    assert len(training) + len(testing) == len(kept) and kept.verify(1)
    assert sum(len(piece) for piece in kept) == 64 and kept.array("light").dtype == np.uint8


def commands(folder: Path) -> None:
    """Calls the functions that run the command line, and those of dungeons."""
    assert splc.command("--version", check=True).stdout.startswith("splc")
    changes: list[Callable[[], str]] = [
        lambda: splc.install(folder / "mylevel.des", folder, dry_run=True),
        lambda: splc.uninstall(folder),
        lambda: splc.diff(folder, folder, GAME, output="json", seeds=0),
        lambda: splc.themerooms(folder / "themerms.lua", output="svg", rooms=["plain"], seeds=range(1, 3)),
        lambda: splc.import_catalog(folder, folder / "mine.toml", define=["X"]),
    ]
    for change in changes:
        try:
            assert change()
        except splc.CompileError as error:
            assert str(error)
    dungeon = 'DUNGEON: "The Dungeons of Doom" "D" (25,5)\nALIGNMENT: unaligned\nLEVEL: "castle" "none" @ (-1,0)\n'
    made = splc.dungeons.compile(dungeon, "nethack343")
    assert splc.dungeons.decompile(made) and splc.dungeons.show(made) and not splc.dungeons.check(dungeon, "nethack343")


def for_minihack() -> None:
    """Calls the functions for MiniHack that need no environment."""
    assert splc.minihack.to_lua(TEXT).files
    preview: splc.minihack.Preview = splc.minihack.preview(TEXT, seeds=range(1, 3))
    assert len(preview.maps) == 2 and not splc.minihack.is_installed()


def main() -> None:
    """Runs all parts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources(folder)
        mistakes()
        levels()
        sets(folder)
        commands(folder)
        for_minihack()


if __name__ == "__main__":
    main()
