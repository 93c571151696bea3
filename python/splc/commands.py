"""The ``splc`` command from Python, and functions for the commands that change files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from .diagnostics import CompileError, Diagnostic, Edit, Label, Span
from .settings import range_of_seeds
from .sources import Catalog, as_names

Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"

# The current folder is not searched for modules, and this package is found wherever it was imported from.
_START = "import sys; del sys.path[:'' in sys.path[:1]]; sys.path.append(sys.argv.pop(1)); "
_START += "from splc.__main__ import main; sys.exit(main())"


def command(
    *arguments: str | os.PathLike[str],
    input: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a process of its own: ``splc.command("run", "--stats", "castle.des")``.

    :param input: text for the standard input.
    :param check: raises :class:`subprocess.CalledProcessError` if the exit code is not 0.
    """
    program = [sys.executable, "-c", _START, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
    return subprocess.run(
        [*program, *(os.fspath(argument) for argument in arguments)],
        input="" if input is None else input, cwd=cwd, check=check, capture_output=True, encoding="utf-8",
        errors="surrogateescape",
    )  # fmt: skip


def install(
    levels: Paths,
    game: str | os.PathLike[str],
    *,
    replacing: str | None = None,
    random_versions: bool = False,
    dungeon: str | None = None,
    at: tuple[int, int] | None = None,
    chance: int | None = None,
    branch: str | None = None,
    connection: Literal["stair", "no-up", "no-down", "portal"] | None = None,
    up: bool = False,
    size: int | None = None,
    filler: str | None = None,
    dungeon_def: str | os.PathLike[str] | None = None,
    dry_run: bool = False,
    catalog: Catalog | None = None,
) -> str:
    """Installs levels from des-files into a game, like ``splc install``. Returns an account of the changes.

    :param levels: paths of des-files.
    :param game: folder of the game: with nhdat, or with separate dungeon and level files.
    :param replacing: level of the game to replace; by default the level with the same name.
    :param random_versions: adds the level as one more variant, of which the game chooses one at random.
    :param dungeon: dungeon to add the level to; with ``branch``, the name of a new one.
    :param at: first possible level in the dungeon, and number of levels to choose from.
    :param chance: chance in percent that the level exists.
    :param branch: builds a new dungeon from the levels, with a branch from this dungeon.
    :param connection: connection of the branch.
    :param up: makes the branch lead up.
    :param size: number of levels of the new dungeon; those without a des-file are fillers.
    :param filler: level to fill the new dungeon with.
    :param dungeon_def: a dungeon.def to use instead of the game's compiled dungeon.
    :param dry_run: describes the changes without making them.
    :raises CompileError: if a level has mistakes, or cannot be installed.
    """
    options: list[str] = []
    for name, value in [
        ("as", replacing), ("dungeon", dungeon), ("at", None if at is None else f"{at[0]},{at[1]}"), ("chance", chance),
        ("branch", branch), ("connection", connection), ("levels", size), ("filler", filler),
        ("dungeon-def", dungeon_def),
    ]:  # fmt: skip
        if value is not None:
            options.append(f"--{name}={value if isinstance(value, int) else os.fspath(value)}")
    for name, on in [("random-versions", random_versions), ("up", up), ("dry-run", dry_run)]:
        if on:
            options.append(f"--{name}")
    files = [os.path.abspath(path) for path in _paths(levels)]
    return _run("install", f"--game={os.fspath(game)}", *options, *_catalogs(catalog), "--", *files)


def uninstall(game: str | os.PathLike[str], *, dry_run: bool = False) -> str:
    """Undoes everything that :func:`install` did to a game. Returns an account of the changes.

    :raises CompileError: if nothing is installed.
    """
    return _run("uninstall", f"--game={os.fspath(game)}", *(["--dry-run"] if dry_run else []))


def import_catalog(
    tree: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    name: str | None = None,
    title: str | None = None,
    define: Iterable[str] = (),
    undefine: Iterable[str] = (),
    like: str | os.PathLike[str] | None = None,
) -> str:
    """Imports a catalog from the source tree of a variant, like ``splc catalog import``, for ``catalog=`` of the other
    functions. Returns an account of the tables, and of what is not imported.

    :param tree: the folder with ``src``, ``include`` and ``util``.
    :param output: catalog file to write (``.toml``).
    :param name: name of the game as a target; by default that of the file.
    :param title: title of the game.
    :param define: preprocessor symbols to define, as ``SYMBOL`` or ``SYMBOL=VALUE``.
    :param undefine: preprocessor symbols to undefine.
    :param like: a level file of the game's own compiler, or an nhdat, for the version header.
    :raises CompileError: if the tree cannot be imported.
    """
    options = [f"--output={os.fspath(output)}"]
    for key, value in [("name", name), ("title", title), ("like", like)]:
        if value is not None:
            options.append(f"--{key}={os.fspath(value)}")
    options += [f"-D{symbol}" for symbol in as_names(define)] + [f"-U{symbol}" for symbol in as_names(undefine)]
    return _run("catalog", "import", *options, "--", os.fspath(tree), json_messages=False)


def diff(
    old: str | os.PathLike[str],
    new: str | os.PathLike[str] | None = None,
    target: str | None = None,
    *,
    output: Literal["text", "markdown", "html", "json"] = "text",
    seeds: int = 1000,
    levels: Iterable[str] = (),
    catalog: Catalog | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> str:
    """Returns the differences between the levels of two files, folders or git revisions, like ``splc diff``.

    :param old: a file, a folder or a git revision; ``A..B`` for two revisions.
    :param new: the other side; without it, the files as they are.
    :param target: as for :func:`splc.compile`.
    :param seeds: number of levels to run on each side; 0 compares only the sources.
    :param levels: names of levels; by default all.
    :param catalog: as for :func:`splc.compile`.
    :param config: as for :func:`splc.compile`.
    :param isolated: ignores project files.
    :raises CompileError: if a level has mistakes, or a side does not exist.
    """
    options = [f"--format={output}", f"--seeds={seeds}", *(f"--level={level}" for level in as_names(levels))]
    sides = [os.fspath(old)] if new is None else [os.fspath(old), os.fspath(new)]
    return _run("diff", *options, *_game(target, catalog, config, isolated), "--", *sides)


def themerooms(
    script: str | os.PathLike[str],
    target: str | None = None,
    *,
    output: Literal["text", "json", "svg", "html"] = "text",
    rooms: Iterable[str] = (),
    seeds: int | range = 20,
    threads: int | None = None,
    catalog: Catalog | None = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> str:
    """Returns the themed rooms of NetHack 5, like ``splc themerooms``: their chances, pictures, and what goes wrong.

    :param script: path of the file of themed rooms, ``themerms.lua``.
    :param target: as for :func:`splc.compile`.
    :param rooms: names of rooms and fills; by default all.
    :param seeds: a range of seeds, or a number N for the seeds 1 to N, for each room.
    :param threads: number of threads; by default one for each core.
    :param catalog: as for :func:`splc.compile`.
    :param config: as for :func:`splc.compile`.
    :param isolated: ignores project files.
    :raises CompileError: if the script cannot be read.
    """
    wanted = range_of_seeds(seeds)
    options = [f"--seeds={wanted[0]}..{wanted[-1]}", *(f"--room={room}" for room in as_names(rooms))]
    options += [] if output == "text" else ["--json"] if output == "json" else [f"--{output}=-"]
    options += [] if threads is None else [f"--threads={threads}"]
    arguments = [*options, *_game(target, catalog, config, isolated), "--", os.fspath(script)]
    return _run("themerooms", *arguments, json_messages=False, with_problems=True)


def _game(
    target: str | None, catalog: Catalog | None, config: str | os.PathLike[str] | None, isolated: bool
) -> list[str]:
    named = [f"--{key}={os.fspath(value)}" for key, value in [("target", target), ("config", config)] if value]
    return [*named, *_catalogs(catalog), *(["--isolated"] if isolated else [])]


def _paths(paths: Paths) -> list[str]:
    return [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(path) for path in paths]


def _catalogs(catalog: Catalog | None) -> list[str]:
    return [] if catalog is None else [f"--catalog={path}" for path in _paths(catalog)]


def _run(*arguments: str, json_messages: bool = True, with_problems: bool = False) -> str:
    """Runs a command and returns its output.

    Raises :class:`CompileError` with its diagnostics if it fails. With ``with_problems``, a command that reports
    problems has not failed if it has an output.
    """
    messages = ["--message-format=json"] if json_messages else []
    at = arguments.index("--") if "--" in arguments else len(arguments)
    done = command(*arguments[:at], *messages, *arguments[at:])
    if done.returncode != 0 and not (with_problems and done.stdout):
        diagnostics = [_diagnostic(json.loads(line)) for line in done.stderr.splitlines() if line.startswith("{")]
        reason = "" if diagnostics else f": {done.stderr.strip()}"
        raise CompileError(diagnostics, f"splc {arguments[0]} failed{reason}")
    return done.stdout


def _diagnostic(data: dict[str, Any]) -> Diagnostic:
    """Returns a diagnostic that the command line has written as JSON."""

    def span(place: dict[str, Any]) -> Span | None:
        if place["file"] is None or place["start"] is None:
            return None
        keys = ("line", "column", "end_line", "end_column", "start", "end")
        return Span(place["file"], *(place[key] or 0 for key in keys))

    def known(place: dict[str, Any]) -> Span:
        return span(place) or Span(place["file"] or "", 0, 0, 0, 0, 0, 0)

    help_ = "" if data["help"] is None else f"\n  = help: {data['help']}"
    place = span(data)
    at = "" if place is None else f"\n  at {place}"
    return Diagnostic(
        code=data["code"],
        name=data["name"],
        severity=data["severity"],
        text=data["message"],
        span=place,
        label=data["label"],
        labels=tuple(Label(known(label), label["message"]) for label in data["labels"]),
        notes=tuple(data["notes"]),
        help=data["help"],
        edits=tuple(Edit(known(edit), edit["replacement"], edit["applicable"]) for edit in data["suggestions"]),
        rendered=f"{data['severity']}[{data['code']}]: {data['message']}{at}{help_}",
    )
