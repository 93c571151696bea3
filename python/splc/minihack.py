"""splc in MiniHack: levels are compiled in the process, and mistakes are exceptions.

>>> import splc.minihack
>>> installed = splc.minihack.install()  # doctest: +SKIP

From then on every MiniHack environment of this process, and of the processes that it starts, compiles its levels with
splc: no shell script, no ``lev_comp``, no ``dlb``. The game reads the same files, byte for byte. A level with a mistake
raises :class:`splc.CompileError` in the call that passed it, and the environment does not continue with another level.

``with splc.minihack.install(): ...`` installs it temporarily. ``SPLC_MINIHACK=1`` in the environment installs it for
programs that do not know splc.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import itertools
import os
import re
import sys
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from html import escape
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, TypeAlias

from . import _splc
from . import dungeons
from .compiling import Ported, port
from .diagnostics import CompileError, RunError
from .extras import need
from .levels import _load
from .maps import Map
from .projects import Given
from .sources import judge, read_source

__all__ = [
    "Installation",
    "Preview",
    "dungeon_to_lua",
    "install",
    "is_installed",
    "preview",
    "to_lua",
    "uninstall",
]

TARGET = "nethack-3.6.7-nle"
"""The game that MiniHack plays."""

VARIABLE = "SPLC_MINIHACK"
"""The environment variable that installs splc without a line of code."""

LEVEL = "mylevel"
"""The first level of MiniHack's dungeon."""

Place: TypeAlias = "tuple[str, int]"
"""A line of Python: file and number."""

_REQUESTED = _splc.Requested(TARGET, None, [], [], {}, [], None, None, [])
_lock = threading.RLock()
_installations = 0
_original: Callable[[Any, str], None] | None = None
_generator_methods: dict[str, Any] = {}
_variable_before: str | None = None
_numbers = itertools.count()

_REMEMBERED = 256
"""Number of recent texts of LevelGenerator whose origins, lines of Python, are remembered."""
_origins: OrderedDict[str, list[Place]] = OrderedDict()


class Installation:
    """The result of :func:`install`. As a context manager it uninstalls splc at its end."""

    def __init__(self) -> None:
        self._in_place = True

    def __enter__(self) -> Installation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.uninstall()

    def uninstall(self) -> None:
        """Uninstalls splc, unless it was also installed elsewhere."""
        if self._in_place:
            self._in_place = False
            uninstall()


def install() -> Installation:
    """Installs splc in MiniHack, in this process and those that it starts from now on.

    If installed twice, it stays until it is uninstalled twice. An unknown version of MiniHack is not changed, and a
    warning is issued.

    :raises ModuleNotFoundError: if MiniHack is not installed.
    """
    # Not an import statement: the package may be importing this module right now, and lacks the name until then.
    need("minihack", "minihack")
    base = importlib.import_module("minihack.base")
    global _installations, _variable_before
    with _lock:
        _installations += 1
        if _installations == 1:
            # Processes started with "spawn" read the variable.
            _variable_before = os.environ.get(VARIABLE)
            os.environ[VARIABLE] = "1"
            _put_into(base)
    return Installation()


def uninstall() -> None:
    """Reverts one :func:`install`. After the last one, MiniHack compiles its levels itself again."""
    global _installations, _original
    with _lock:
        if _installations == 0:
            return
        _installations -= 1
        if _installations > 0:
            return
        if _variable_before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = _variable_before
        if _original is not None:
            sys.modules["minihack.base"].MiniHack._patch_nhdat = _original
            _original = None
            generator = sys.modules["minihack.level_generator"].LevelGenerator
            for name, method in _generator_methods.items():
                setattr(generator, name, method)
            _generator_methods.clear()
            _origins.clear()


def is_installed() -> bool:
    """Returns true if MiniHack compiles with splc in this process."""
    return _original is not None


def _put_into(base: ModuleType) -> None:
    global _original
    if _original is not None:
        return
    problem = _not_understood(base)
    if problem is not None:
        _say(f"splc does not support this MiniHack ({problem}): MiniHack keeps compiling levels itself", stacklevel=4)
        return
    _original = base.MiniHack._patch_nhdat
    base.MiniHack._patch_nhdat = _patch_nhdat
    _watch(importlib.import_module("minihack.level_generator"))


def _not_understood(base: ModuleType) -> str | None:
    """Returns a difference from the MiniHack that this module was written for (1.0.2), if any."""
    step = getattr(getattr(base, "MiniHack", None), "_patch_nhdat", None)
    if step is None:
        return "it has no MiniHack._patch_nhdat"
    if list(inspect.signature(step).parameters) != ["self", "des_file"]:
        return "MiniHack._patch_nhdat takes other arguments"
    for name in ("LIB_DIR", "PATH_DAT_DIR"):
        if not isinstance(getattr(base, name, None), str):
            return f"it lacks {name}"
    if not os.path.isfile(os.path.join(base.LIB_DIR, "dungeon")):
        return f"{base.LIB_DIR} contains no dungeon"
    return None


_said: set[str] = set()


def _say(message: str, stacklevel: int) -> None:
    """Warns, but only once of the same thing, however many environments there are."""
    if message not in _said:
        _said.add(message)
        warnings.warn(message, RuntimeWarning, stacklevel=stacklevel + 1)


# --- Compiling


def _patch_nhdat(self: Any, des_file: Any) -> None:
    """Replaces ``MiniHack._patch_nhdat``: compiles ``des_file`` and writes an archive with it for the game.

    :raises CompileError: for mistakes in the level.
    :raises FileNotFoundError: if the file or the environment's working folder does not exist.
    """
    import minihack.base as base

    game = getattr(self, "nethack", None)
    folder = getattr(game, "_vardir", None)
    if not isinstance(folder, str) or not isinstance(des_file, (str, os.PathLike)):
        _say(f"splc does not support {type(self).__name__}: MiniHack compiles the level itself", stacklevel=3)
        assert _original is not None
        return _original(self, des_file)
    source = _source(des_file, base.PATH_DAT_DIR)
    earlier: dict[str, bytes] = getattr(game, "_splc_levels", {})
    made = {name: _quirk_overlay(earlier.get(name, b""), new) for name, new in _compiled(source).items()}
    levels = {**earlier, **made}
    beside = _beside(base.LIB_DIR)
    _check_names(levels, beside)
    files = {**beside, **levels}
    _write(folder, _splc.archive([(name, files[name]) for name in sorted(files)]))
    # Levels that a later one does not replace are kept, as by MiniHack itself.
    game._splc_levels = levels  # type: ignore[union-attr]
    self._splc_source = source


def _source(des_file: str | os.PathLike[str], shipped: str) -> _splc.Source:
    """Returns the source to compile, found as by MiniHack: text, a path, or a file that ships with MiniHack."""
    name = os.fspath(des_file)
    if isinstance(des_file, str) and not name.endswith(".des"):
        return f"{LEVEL}.des", None, name.encode("utf-8", "surrogateescape")
    for path in (name, os.path.join(shipped, name)):
        if os.path.exists(path):
            return read_source(os.path.abspath(path) if path != name else path)
    raise FileNotFoundError(errno.ENOENT, "no such des-file, here or in MiniHack's folder", name)


def _compiled(source: _splc.Source) -> dict[str, bytes]:
    files, rows, _ = _splc.compile(source, _REQUESTED, "lev", {})
    if rows:
        made_by = _origins.get(source[2].decode("utf-8", "surrogateescape")) if source[1] is None else None
        if made_by:
            told = {line: f"{os.path.relpath(file) if file.startswith(os.getcwd()) else file}:{number}"
                    for line, (file, number) in enumerate(made_by, 1)}  # fmt: skip
            files, rows, _ = _splc.compile(source, _REQUESTED, "lev", told)
        judge(rows, stacklevel=4)
    return dict(files)


def _quirk_overlay(earlier: bytes, later: bytes) -> bytes:
    """Returns the file after NLE's ``lev_comp`` has overwritten a level without truncating it (``write_level_file``).
    The rest of a longer earlier file remains. The game reads no further than the level."""
    return later + earlier[len(later) :]


def _check_names(levels: dict[str, bytes], beside: dict[str, bytes]) -> None:
    """Checks the level names: the game loads levels by name, and creates a maze for missing ones."""
    dungeon = beside.get("dungeon", b"")
    names = [name.removesuffix(".lev") for name in levels]
    for name in names:
        if not re.search(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-])", dungeon):
            text = (
                f'the game would never load the level "{name}": '
                f'its dungeon begins with "{LEVEL}", and has no "{name}"'
            )
            raise CompileError((), f'{text}\n  = help: name the level "{LEVEL}"')
    if LEVEL.encode() in dungeon and LEVEL not in names:
        there = ", ".join(names) or "nothing"
        text = f'the game would begin in a random maze: no level named "{LEVEL}", only {there}'
        raise CompileError((), f'{text}\n  = help: name the level "{LEVEL}"')


_known_beside: dict[str, tuple[tuple[tuple[str, int, int], ...], dict[str, bytes]]] = {}


def _beside(folder: str) -> dict[str, bytes]:
    """Returns the files of ``folder`` that MiniHack adds to the level. They are read again when they change."""
    with os.scandir(folder) as entries:
        found = sorted(
            (entry.name, entry.stat().st_mtime_ns, entry.stat().st_size)
            for entry in entries
            if entry.is_file() and not entry.name.startswith(".")
        )
    state = tuple(found)
    known = _known_beside.get(folder)
    if known is not None and known[0] == state:
        return known[1]
    files = {}
    for name, _, _ in state:
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    _known_beside[folder] = (state, files)
    return files


def _write(folder: str, archive: bytes) -> None:
    """Writes the archive to the environment's working folder. The file there may be a link to the installed one, which
    must not be written to: the new file replaces the link."""
    path = os.path.join(folder, "nhdat")
    new = f"{path}.{os.getpid()}.{next(_numbers)}"
    try:
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
    except FileNotFoundError:
        message = "the environment's working folder is gone; create the environment again"
        raise FileNotFoundError(errno.ENOENT, message, folder) from None
    try:
        with open(file, "wb") as out:
            out.write(archive)
        # Not os.replace: when one file replaces another, ext4 waits for the disk, for longer than a reset takes. Nobody
        # else reads this folder, and the game would report a missing file.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.rename(new, path)
    except BaseException:
        os.unlink(new)
        raise


# --- Origins of the lines of a level in Python code


def _watch(module: ModuleType) -> None:
    """Makes ``LevelGenerator`` record the callers of its methods."""
    generator = module.LevelGenerator
    within = {module.__file__, __file__}

    def caller() -> Place:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename in within:
            frame = frame.f_back
        code: CodeType | None = None if frame is None else frame.f_code
        return ("?", 0) if frame is None or code is None else (code.co_filename, frame.f_lineno)

    def noted(method: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = method(self, *args, **kwargs)
            made_by: list[Place] = self.__dict__.setdefault("_splc_origins", [])
            added = self.footer.count("\n") - len(made_by)
            if added > 0:
                made_by.extend([caller()] * added)
            return result

        return _like(call, method)

    def begun(method: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> None:
            method(self, *args, **kwargs)
            self._splc_begun = caller()
            self._splc_origins = [self._splc_begun] * self.footer.count("\n")

        return _like(call, method)

    def told(method: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            text = method(self, *args, **kwargs)
            made_by = self.__dict__.get("_splc_origins")
            if made_by and isinstance(text, str) and text.endswith(self.footer):
                before = text.count("\n") - self.footer.count("\n")
                _origins[text] = [self._splc_begun] * before + made_by
                _origins.move_to_end(text)
                if len(_origins) > _REMEMBERED:
                    _origins.popitem(last=False)
            return text

        return _like(call, method)

    for name, method in list(vars(generator).items()):
        if not inspect.isfunction(method):
            continue
        if name == "__init__":
            wrapped = begun(method)
        elif name == "get_des":
            wrapped = told(method)
        elif re.match(r"(add|fill|set)_|wallify$", name):
            wrapped = noted(method)
        else:
            continue
        _generator_methods[name] = method
        setattr(generator, name, wrapped)


def _like(call: Any, method: Any) -> Any:
    call.__name__, call.__qualname__, call.__doc__ = method.__name__, method.__qualname__, method.__doc__
    call.__wrapped__ = method
    return call


# --- SPLC_MINIHACK=1


def _from_environment() -> None:
    """Called by Python at startup (``splc_minihack.pth``), long before MiniHack is imported."""
    if os.environ.get(VARIABLE) != "1":
        return
    if "minihack.base" in sys.modules:
        install()
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder(importlib.abc.MetaPathFinder):
    """An import hook for ``minihack.base``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        # The package imports it last, when all names needed here exist.
        if fullname != "minihack.base":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        install()


# --- NetHack 5


def to_lua(level: Any, to: str = "nethack-5.0.0") -> Ported:
    """Ports a level of MiniHack to a Lua script of NetHack 5, which has no des-files.

    :param level: a ``LevelGenerator``, or a level as for MiniHack: text, a path, or the name of a file that ships with
        MiniHack.
    :raises CompileError: if the level has mistakes, or cannot be ported.
    """
    if hasattr(level, "get_des"):
        level = level.get_des()
    name, place, content = _source(level, _shipped(level))
    return port(content if place is None else place, to, TARGET, name=name)


def dungeon_to_lua() -> str:
    """Returns the dungeon of the installed MiniHack as a ``dungeon.lua`` of NetHack 5."""
    base = importlib.import_module("minihack.base")
    return dungeons.decompile(os.path.join(base.LIB_DIR, "dungeon"), output="lua")


def _shipped(level: str | os.PathLike[str]) -> str:
    """Returns the folder of MiniHack's own levels, if it is needed to find ``level``."""
    if os.fspath(level).endswith(".des") and not os.path.exists(level):
        path: str = importlib.import_module("minihack.base").PATH_DAT_DIR
        return path
    return ""


# --- Previews


class Preview:
    """Finished levels of several seeds. Notebooks show them side by side, ``print`` one below the other."""

    def __init__(self, maps: Sequence[Map], faults: Sequence[RunError] = ()) -> None:
        self.maps: tuple[Map, ...] = tuple(maps)
        """The finished level for each seed."""
        self.faults: tuple[RunError, ...] = tuple(faults)
        """The errors of seeds that failed."""

    def __str__(self) -> str:
        parts = []
        for made in self.maps:
            lines = [f"{made.name}, seed {made.seed} ({made.title})", "", *_cropped(made.text.splitlines())]
            subject = None
            for entry in made.legend:
                if entry.subject != subject:
                    subject = entry.subject
                    lines += ["", subject]
                if not entry.places:
                    lines.append(f"  {entry.what}")
                for (x, y), statement in zip(entry.places, entry.statements):
                    lines.append(f"  {entry.symbol}  {entry.what}: {x},{y}" + _behind(statement))
            if made.remarks:
                lines += ["", "messages of the loader", *(f"  {remark}" for remark in made.remarks)]
            parts.append("\n".join(lines))
        return "\n\n".join([*parts, *map(str, self.faults)])

    def _repr_html_(self) -> str:
        parts = []
        for made in self.maps:
            rows = "".join(
                f"<tr><td><code>{escape(entry.symbol)}</code></td><td>{escape(entry.what)}</td><td>{x},{y}</td>"
                f"<td><code>{escape(f'{by.line}: {by.text}' if by else '')}</code></td></tr>"
                for entry in made.legend
                for (x, y), by in zip(entry.places, entry.statements)
            )
            remarks = "".join(f"<li>{escape(remark)}</li>" for remark in made.remarks)
            parts.append(
                f"<div style='flex:1 1 40em'>{made._repr_html_()}<details><summary>{len(made.legend)} kinds of things"
                f"</summary><table>{rows}</table></details>{f'<ul>{remarks}</ul>' if remarks else ''}</div>"
            )
        parts.extend(f"<div>{escape(str(fault))}</div>" for fault in self.faults)
        return f"<div style='display:flex;flex-wrap:wrap;gap:1em'>{''.join(parts)}</div>"


def _cropped(lines: list[str]) -> list[str]:
    """Removes empty lines at the top and the bottom."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _behind(statement: object) -> str:
    return "" if statement is None else f"   <- line {getattr(statement, 'line')}: {getattr(statement, 'text')}"


def preview(env_or_des: Any, seeds: Iterable[int] = range(1, 5)) -> Preview:
    """Runs a level of MiniHack with several seeds, and shows the statement that created each thing. The game is not
    started.

    :param env_or_des: an environment whose level was compiled by splc, or a level as for MiniHack: text, a path, or the
        name of a file that ships with MiniHack.
    :param seeds: seeds of splc, which differ from those of the game.
    :raises CompileError: with every mistake in the level.
    """
    if isinstance(env_or_des, (str, os.PathLike)):
        source = _source(env_or_des, _shipped(env_or_des))
    else:
        known = getattr(getattr(env_or_des, "unwrapped", env_or_des), "_splc_source", None)
        if known is None:
            raise ValueError("splc did not compile the level of this environment: call install() first")
        source = known
    levels = _load(source, Given([], TARGET), stacklevel=3)
    level = levels.get(LEVEL) or next(iter(levels.values()))
    maps, faults = [], []
    for seed in seeds:
        try:
            maps.append(level.run(seed))
        except RunError as fault:
            faults.append(fault)
    return Preview(maps, faults)
