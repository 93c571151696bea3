"""Operations on sources: compile, check, fix, format, port, decompile, generate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, overload

from . import _splc
from .diagnostics import CompileError, Diagnostic, from_rows
from .projects import Config, Given
from .sources import Catalog, Files, Language, Source, as_names, judge, load_catalogs, read_catalogs, read_source


def compile(
    source: Source,
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> dict[str, bytes]:
    """Compiles a des-file. Returns its files by name, such as ``{"castle.lev": b"..."}``.

    :param source: text, bytes or a path.
    :param target: the game, as listed by :func:`targets`, or a dialect for its default game. By default it is detected
        from the text.
    :param abi: the machine, such as ``x86_64-linux``; by default the usual one of the game.
    :param output: ``lev`` for level files, or another form of ``splc --emit``.
    :param allow: names or codes of lints to ignore.
    :param deny: names or codes of lints to report as errors.
    :param include: files for INCLUDE, by the name in the statement. Files in the folder of the source are found, too.
    :param catalog: catalog files of further games. Without ``target``, the last of them is the game.
    :param language: the language of the source, if neither its name nor its first lines show it.
    :param name: the name of the source in messages.
    :param config: the project file. By default, it is the file ``splc.toml`` in the folder of the source, or in the
        nearest folder above it. Its game, catalogs and lints apply where no argument says otherwise. Text belongs to no
        project.
    :param isolated: ignores project files.
    :raises CompileError: with every mistake in the source, or in the project file.
    :raises ValueError: if the target is unknown or cannot be detected.
    """
    options = Given([source], target, abi, allow, deny, include, catalog, None, config, isolated).requested
    made, rows, _ = _splc.compile(read_source(source, name, language), options, output, {})
    judge(rows, stacklevel=2)
    return dict(made)


def check(
    source: Source,
    target: str | None = None,
    *,
    abi: str | None = None,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    dungeon: Config | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> list[Diagnostic]:
    """Returns the diagnostics of a source in its order, like ``splc check``; an empty list if it has none. Takes the
    arguments of :func:`compile`, but does not raise for mistakes in the source. Lua scripts can be checked, too.

    :param dungeon: the file of the dungeon that the levels belong to, if it is not the game's own.
    """
    given = Given([source], target, abi, allow, deny, include, catalog, dungeon, config, isolated)
    return from_rows(_splc.check(read_source(source, name, language), given.in_dungeon()))


@overload
def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    catalog: Catalog | None = None,
    threads: int | None = None,
    config: Config | None = None,
    isolated: bool = False,
    errors: Literal["raise"] = "raise",
) -> list[dict[str, bytes]]: ...


@overload
def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    catalog: Catalog | None = None,
    threads: int | None = None,
    config: Config | None = None,
    isolated: bool = False,
    errors: Literal["return"],
) -> list[dict[str, bytes] | CompileError]: ...


def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    catalog: Catalog | None = None,
    threads: int | None = None,
    config: Config | None = None,
    isolated: bool = False,
    errors: Literal["raise", "return"] = "raise",
) -> list[dict[str, bytes]] | list[dict[str, bytes] | CompileError]:
    """Compiles many sources independently, with the interpreter's lock released, on all cores or ``threads``
    threads.

    :param errors: ``raise`` raises :class:`CompileError` for the first source with mistakes; ``return`` returns the
        exception at its position in the list.
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors must be 'raise' or 'return', not {errors!r}")
    if isinstance(sources, (str, bytes, os.PathLike)):
        raise TypeError("compile_many takes several sources: use compile for one")
    sources = list(sources)
    options = Given(sources, target, abi, catalog=catalog, config=config, isolated=isolated).requested
    read = [read_source(source) for source in sources]
    results: list[dict[str, bytes] | CompileError] = []
    for at, (files, rows, _) in enumerate(_splc.compile_many(read, options, output, threads)):
        if not any(row[0][2] == "error" for row in rows):
            results.append(dict(files))
            continue
        error = CompileError(from_rows(rows), f"source {at} of {len(read)} cannot be compiled")
        if errors == "raise":
            raise error
        results.append(error)
    return results


@dataclass(frozen=True, repr=False)
class Fixed:
    """A fixed source."""

    text: str
    """The source with all safe fixes applied."""
    changes: tuple[str, ...]
    """The changes: place, new text, and reason."""
    diagnostics: tuple[Diagnostic, ...]
    """The remaining diagnostics."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<splc.Fixed: {len(self.changes)} changes, {len(self.diagnostics)} diagnostics left>"


def fix(
    source: Source,
    target: str | None = None,
    *,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> Fixed:
    """Applies the fixes that are safe without review. The file itself is not changed."""
    given = Given([source], target, include=include, catalog=catalog, config=config, isolated=isolated)
    fixed, changes, rows = _splc.fix(read_source(source, name, language), given.requested)
    return Fixed(fixed.decode("utf-8", "surrogateescape"), tuple(changes), tuple(from_rows(rows)))


def format(
    source: Source,
    target: str | None = None,
    *,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> str:
    """Returns the source, formatted like ``splc fmt``.

    :raises CompileError: if it cannot be read.
    """
    given = Given([source], target, include=include, catalog=catalog, config=config, isolated=isolated)
    laid_out, rows = _splc.format(read_source(source, name, language), given.requested)
    if laid_out is None:
        raise CompileError(from_rows(rows), "the source cannot be formatted")
    return laid_out.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, repr=False)
class Ported:
    """Levels in the language of another game."""

    files: dict[str, str]
    """The sources for that game by file name: one des-file, or a Lua script for each level."""
    account: str
    """The outcome of every statement: kept, changed, or lost."""
    diagnostics: tuple[Diagnostic, ...]
    """Warnings about differences."""

    @property
    def text(self) -> str:
        """The source, if it is one file.

        :raises ValueError: if there are several; see :attr:`files`.
        """
        if len(self.files) != 1:
            raise ValueError(f"there are {len(self.files)} files: {', '.join(self.files)}; see files")
        return next(iter(self.files.values()))

    def __str__(self) -> str:
        return "\n".join(self.files.values())

    def __repr__(self) -> str:
        return f"<splc.Ported: {', '.join(self.files)}, {len(self.diagnostics)} diagnostics>"


def port(
    source: Source,
    to: str,
    target: str | None = None,
    *,
    strict: bool = False,
    stand_ins: Iterable[str] = (),
    instantiate: int | None = None,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> Ported:
    """Ports a level to the language of another game.

    :param to: the target game, as listed by :func:`targets`, or a dialect.
    :param target: the game that the source is for.
    :param strict: reports every difference as an error.
    :param stand_ins: tables of replacements for names that the other game lacks, as for ``splc port --map``.
    :param instantiate: a seed that decides what the target cannot leave to chance.
    :raises CompileError: if the source has mistakes, or cannot be ported.
    """
    # A catalog is for either game, so none of them is the game of the source by default.
    of = Given([source], target, include=include, config=config, isolated=isolated, catalog=catalog if target else None)
    into = Given([source], to, catalog=catalog, config=config, isolated=isolated)
    files, account, rows, _ = _splc.port(
        read_source(source, name, language), of.requested, into.requested, strict, as_names(stand_ins), instantiate
    )
    diagnostics = from_rows(rows)
    if not files or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise CompileError(diagnostics, f"the level cannot be ported to {to}")
    texts = {file: content.decode("utf-8", "surrogateescape") for file, content in files}
    return Ported(texts, account, tuple(diagnostics))


def decompile(
    source: Source,
    target: str | None = None,
    *,
    catalog: Catalog | None = None,
    name: str | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> str:
    """Returns the source of a level file in the language of its game, like ``splc decompile``. Compiled again, it is
    the same level.

    :raises CompileError: if it cannot be read, or has no source.
    """
    given = Given([source], target, catalog=catalog, config=config, isolated=isolated)
    text, _, rows, _ = _splc.decompile(read_source(source, name), given.requested)
    if text is None:
        raise CompileError(from_rows(rows), "the level cannot be decompiled")
    return text.decode("utf-8", "surrogateescape")


def gen(target: str | None = None, *, seed: int = 1, size: int = 20, catalog: Catalog | None = None) -> str:
    """Returns a random des-file of about ``size`` statements, like ``splc gen``, to test a game or a compiler with.

    :raises ValueError: if the game is unknown.
    """
    return _splc.generate(Given([], target, catalog=catalog).requested, seed, size)


def explain(code: str) -> str:
    """Returns the explanation of a diagnostic code or name.

    :raises KeyError: if there is no such code.
    """
    text = _splc.explain(code)
    if text is None:
        raise KeyError(f"no diagnostic has the code or name {code!r}")
    return text


@dataclass(frozen=True)
class Target:
    """A game that splc compiles levels for."""

    name: str
    """The value for ``target=``."""
    title: str
    dialect: str


def targets(catalog: Catalog | None = None) -> list[Target]:
    """Returns the games that splc compiles levels for, and those of catalog files."""
    known, _ = load_catalogs(read_catalogs(catalog))
    return [Target(*row) for row in _splc.targets(known)]


def archive(files: Mapping[str, bytes]) -> bytes:
    """Returns the ``nhdat`` of these files in this order, byte for byte as the game's ``dlb`` writes it."""
    return _splc.archive(list(files.items()))


def read_archive(data: bytes) -> dict[str, bytes]:
    """Returns the files in an ``nhdat``, in order. :func:`archive` writes a changed set back."""
    return dict(_splc.read_archive(data))
