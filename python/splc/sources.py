"""Sources and catalogs: what a call names, read and checked."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from . import _splc
from .diagnostics import CompileError, CompileWarning, from_rows

Source: TypeAlias = "str | bytes | os.PathLike[str]"
"""A level: its text, the bytes of a file, or a path. A ``str`` of one line that ends in ``.des``, ``.lua``, ``.lev`` or
``.json`` is a path, too."""

Files: TypeAlias = "Mapping[str, str | bytes]"

Language: TypeAlias = Literal["des", "lua", "json", "lev"]
"""The language of a source: a des-file, a Lua script of NetHack 5, levels as JSON, or a level file."""

Catalog: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""Paths of catalog files: games that are not built in."""

_LANGUAGES: tuple[Language, ...] = ("des", "lua", "json", "lev")

Recorded: TypeAlias = "tuple[list[tuple[str, bytes]], list[_splc.Parent]]"
"""The contents of catalog files, and of those that they extend."""


def read_source(source: Source, name: str | None = None, language: Language | None = None) -> _splc.Source:
    """Returns the name, path and bytes of ``source``. The ending of the name determines the language.

    Raises :class:`OSError` if it is a file that cannot be read.
    """
    if isinstance(source, bytes):
        return _named(name or "level", language, bool(name)), None, source
    if isinstance(source, str) and not is_path(source):
        text = source.encode("utf-8", "surrogateescape")
        if name is None:
            language = language or ("lua" if _splc.is_script(text) else "des")
        return _named(name or "level", language, bool(name)), None, text
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"a source must be text, bytes or a path, not {type(source).__name__}")
    path = os.fspath(source)
    with open(path, "rb") as file:
        return _named(name or path, language, True), os.path.realpath(path), file.read()


def is_path(source: object) -> bool:
    """Returns true if a source is the path of a file, not text."""
    if isinstance(source, str):
        return "\n" not in source and source.endswith(tuple(f".{known}" for known in _LANGUAGES))
    return isinstance(source, os.PathLike)


def _named(name: str, language: Language | None, given: bool) -> str:
    """Returns ``name`` with the ending of ``language``."""
    if language is None:
        return name
    if language not in _LANGUAGES:
        raise ValueError(f"unknown language {language!r}; choose from: {', '.join(_LANGUAGES)}")
    ending = os.path.splitext(name)[1].removeprefix(".")
    if given and ending in _LANGUAGES and ending != language:
        message = f"the language of {name!r} is {ending!r}, not {language!r}"
        raise ValueError(f"{message}; omit language=, or name it with name=")
    return name if ending == language else f"{name}.{language}"


def as_names(given: Iterable[str]) -> list[str]:
    """Returns a list of names. A single ``str`` is one name, not a list of letters."""
    return [given] if isinstance(given, str) else list(given)


def read_catalogs(catalog: Catalog | None) -> Recorded | None:
    """Returns the contents of catalog files; those that they extend are read when they are loaded."""
    if not catalog:
        return None
    paths = [catalog] if isinstance(catalog, (str, os.PathLike)) else list(catalog)
    files = []
    for path in paths:
        with open(path, "rb") as file:
            files.append((os.fspath(path), file.read()))
    return files, []


def load_catalogs(recorded: Recorded | None) -> tuple[_splc.Catalogs | None, Recorded | None]:
    """Loads catalogs. Returns them with the contents of all files that were read.

    Raises :class:`CompileError` if they have mistakes.
    """
    if recorded is None:
        return None, None
    files, parents = recorded
    known, rows, read = _splc.catalogs(files, parents)
    if any(row[0][2] == "error" for row in rows):
        raise CompileError(from_rows(rows), "the catalog cannot be loaded")
    return known, (files, read)


def judge(rows: Sequence[_splc.DiagnosticRow], stacklevel: int) -> None:
    """Raises :class:`CompileError` if there are errors among ``rows``, and issues warnings for the rest."""
    if not rows:
        return
    diagnostics = from_rows(rows)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise CompileError(diagnostics)
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), CompileWarning, stacklevel=stacklevel + 1)
