"""Project files: the settings of ``splc.toml`` for a source, as the command line applies them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypeAlias

from . import _splc
from .diagnostics import CompileError, from_rows
from .sources import Catalog, Files, Recorded, as_names, is_path, load_catalogs, read_catalogs

Config: TypeAlias = "str | os.PathLike[str]"
"""Path of a project file."""


class Given:
    """The arguments of a call, completed with those of the project. An argument always wins."""

    def __init__(
        self,
        sources: Iterable[Any],
        target: str | None = None,
        abi: str | None = None,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        include: Files | None = None,
        catalog: Catalog | None = None,
        dungeon: Config | None = None,
        config: Config | None = None,
        isolated: bool = False,
    ) -> None:
        paths = [os.fspath(source) for source in sources if is_path(source)]
        self.project: _splc.Project | None = None if isolated else find(paths, config)
        project = self.project
        given = [] if catalog is None else [catalog] if isinstance(catalog, (str, os.PathLike)) else list(catalog)
        own = [] if project is None else project.catalogs
        self.catalogs: Recorded | None
        known, self.catalogs = load_catalogs(read_catalogs([*own, *given]))
        files = {name: text.encode() if isinstance(text, str) else text for name, text in (include or {}).items()}
        has_game = target is None and not given
        own_project = None if project is None else (project, has_game)
        self.requested: _splc.Requested = _splc.Requested(
            target, abi, as_names(allow), as_names(deny), files, [], known, own_project, paths
        )  # fmt: skip
        self.dungeon: _splc.Source | None = None
        place = dungeon if dungeon is not None else None if project is None else project.dungeon
        if place is not None:
            with open(place, "rb") as file:
                self.dungeon = os.fspath(place), os.path.realpath(place), file.read()

    def in_dungeon(self) -> _splc.Requested:
        """Returns the options with the dungeon of the levels.

        Raises :class:`CompileError` if it has mistakes.
        """
        return self.requested if self.dungeon is None else in_dungeon(self.requested, self.dungeon)


def in_dungeon(requested: _splc.Requested, dungeon: _splc.Source) -> _splc.Requested:
    """Returns options with a dungeon."""
    made, rows = _splc.in_dungeon(requested, dungeon)
    if made is None:
        raise CompileError(from_rows(rows), "the dungeon has mistakes")
    return made


def find(paths: list[str], config: Config | None) -> _splc.Project | None:
    """Returns the project of these files: ``config``, or the file ``splc.toml`` in the folder of the first, or in the
    nearest folder above it."""
    if config is not None:
        return _read(None, os.fspath(config))
    folders = list(dict.fromkeys(os.path.dirname(path) for path in paths))
    projects = [_read(folder, None) for folder in folders]
    if len({None if it is None else os.path.realpath(it.file) for it in projects}) > 1:
        raise ValueError("the files belong to different projects: name one with config=, or none with isolated=True")
    return projects[0] if projects else None


def _read(start: str | None, config: str | None) -> _splc.Project | None:
    project, rows = _splc.project(start, config)
    if project is None and rows:
        raise CompileError(from_rows(rows), "the project file has mistakes")
    return project
