"""Descriptions of dungeons: ``dungeon.def``, ``dungeon.lua``, JSON, or the compiled file ``dungeon`` of a game.

The functions take a source as :func:`splc.compile` does. A ``str`` with several lines
is the text of a description, otherwise it is a path with any ending. A
``dungeon.def`` does not show its game: name it with ``target=``.
"""

from __future__ import annotations

import os
from typing import Literal

from . import _splc
from .diagnostics import CompileError, Diagnostic, from_rows
from .projects import Given
from .sources import Catalog

__all__ = ["check", "compile", "decompile", "show"]


def compile(
    source: str | bytes | os.PathLike[str], target: str | None = None, *, catalog: Catalog | None = None
) -> bytes:
    """Compiles a description to the file that the game reads, like ``splc dungeon compile``.

    :raises CompileError: with every mistake in the description.
    """
    return _written(source, target, catalog, "dungeon")


def decompile(
    source: str | bytes | os.PathLike[str],
    target: str | None = None,
    *,
    output: Literal["text", "lua", "json"] = "text",
    catalog: Catalog | None = None,
) -> str:
    """Returns a description as ``dungeon.def``, ``dungeon.lua`` or JSON, like ``splc dungeon decompile``.

    :raises CompileError: with every mistake in the description.
    """
    return _written(source, target, catalog, output).decode("utf-8", "surrogateescape")


def show(
    source: str | bytes | os.PathLike[str],
    target: str | None = None,
    *,
    output: Literal["tree", "svg"] = "tree",
    catalog: Catalog | None = None,
) -> str:
    """Returns the dungeon as a tree or a picture: its levels, their possible depths and probabilities, like
    ``splc dungeon show``.

    :raises CompileError: with every mistake in the description, or if the game could not start with it.
    """
    return _written(source, target, catalog, output).decode()


def check(
    source: str | bytes | os.PathLike[str], target: str | None = None, *, catalog: Catalog | None = None
) -> list[Diagnostic]:
    """Returns the diagnostics of a description, like ``splc dungeon check``."""
    _, rows = _splc.dungeon(_read(source), Given([], target, catalog=catalog).requested, None)
    return from_rows(rows)


def _read(source: str | bytes | os.PathLike[str]) -> _splc.Source:
    if isinstance(source, bytes):
        return "dungeon", None, source
    if isinstance(source, str) and "\n" in source:
        name = "dungeon.lua" if _splc.is_script(source.encode()) else "dungeon.def"
        return ("dungeon.json" if source.lstrip().startswith("{") else name), None, source.encode()
    path = os.fspath(source)
    with open(path, "rb") as file:
        return path, os.path.realpath(path), file.read()


def _written(
    source: str | bytes | os.PathLike[str], target: str | None, catalog: Catalog | None, output: str
) -> bytes:
    made, rows = _splc.dungeon(_read(source), Given([], target, catalog=catalog).requested, output)
    if made is None:
        raise CompileError(from_rows(rows), "the dungeon cannot be written")
    return made
