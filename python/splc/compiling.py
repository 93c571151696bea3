"""From sources to files: compile, check, fix, format."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, overload

from . import _splc
from .diagnostics import CompileError, CompileWarning, Diagnostic, from_rows

Source: TypeAlias = "str | bytes | os.PathLike[str]"
"""A level: its text, the bytes of a file, or a path. A ``str`` of one line that ends in ``.des`` is a path, too."""

Files: TypeAlias = "Mapping[str, str | bytes]"


def read_source(source: Source, name: str | None = None) -> _splc.Source:
    """Name, place and bytes of ``source``.

    Raises :class:`OSError` if it is a file that cannot be read.
    """
    if isinstance(source, bytes):
        return name or "level", None, source
    if isinstance(source, str):
        if not source.endswith(".des") or "\n" in source:
            return name or "level.des", None, source.encode("utf-8", "surrogateescape")
    elif not isinstance(source, os.PathLike):
        raise TypeError(f"a source is text, bytes or a path, and not {type(source).__name__}")
    path = os.fspath(source)
    with open(path, "rb") as file:
        return name or path, os.path.realpath(path), file.read()


def ask(
    target: str | None,
    abi: str | None = None,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    include: Files | None = None,
    recorded: Sequence[_splc.Included] = (),
) -> _splc.Asked:
    """What is asked of splc besides the source, for the compiled part."""
    files = {name: text.encode() if isinstance(text, str) else text for name, text in (include or {}).items()}
    return _splc.Asked(target, abi, list(allow), list(deny), files, list(recorded))


def judge(rows: Sequence[_splc.DiagnosticRow], stacklevel: int) -> None:
    """Raises :class:`CompileError` if there are errors among ``rows``, and warns of the rest."""
    if not rows:
        return
    diagnostics = from_rows(rows)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise CompileError(diagnostics)
    for diagnostic in diagnostics:
        if diagnostic.severity == "warning":
            warnings.warn(str(diagnostic), CompileWarning, stacklevel=stacklevel + 1)


def compile(
    source: Source,
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    include: Files | None = None,
    name: str | None = None,
) -> dict[str, bytes]:
    """Compiles a des-file; returns its files by their names, such as ``{"castle.lev": b"..."}``.

    :param source: text, bytes or a path.
    :param target: the game, as :func:`targets` lists them, or a dialect, which means its usual game. Without one, the
        text tells.
    :param abi: the machine, such as ``x86_64-linux``; the usual one if it is not said.
    :param output: ``lev`` for level files, or another form that ``splc --emit`` knows.
    :param allow: names or codes of lints not to be told of.
    :param deny: names or codes of lints to take for errors.
    :param include: files that INCLUDE finds, by the name it says. A file includes what is beside it, too.
    :param name: what to call the source in messages.
    :raises CompileError: with every mistake in the source.
    :raises ValueError: if there is no such target, or nothing tells which one is meant.
    """
    made, rows, _ = _splc.compile(read_source(source, name), ask(target, abi, allow, deny, include), output, {})
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
    name: str | None = None,
) -> list[Diagnostic]:
    """All that there is to say about a source, in its order; an empty list if it is fine. Takes what
    :func:`compile` takes, and raises nothing for mistakes in the source."""
    _, rows, _ = _splc.compile(read_source(source, name), ask(target, abi, allow, deny, include), "lev", {})
    return from_rows(rows)


@overload
def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    threads: int | None = None,
    errors: Literal["raise"] = "raise",
) -> list[dict[str, bytes]]: ...


@overload
def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    threads: int | None = None,
    errors: Literal["return"],
) -> list[dict[str, bytes] | CompileError]: ...


def compile_many(
    sources: Iterable[Source],
    target: str | None = None,
    *,
    abi: str | None = None,
    output: str = "lev",
    threads: int | None = None,
    errors: Literal["raise", "return"] = "raise",
) -> list[dict[str, bytes]] | list[dict[str, bytes] | CompileError]:
    """Compiles many sources, each for itself, with the interpreter's lock released, on all cores or ``threads``
    threads.

    :param errors: ``raise`` raises :class:`CompileError` for the first source that has mistakes; ``return`` puts the
        exception in its place in the list.
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors is 'raise' or 'return', and not {errors!r}")
    read = [read_source(source) for source in sources]
    results: list[dict[str, bytes] | CompileError] = []
    for at, (files, rows, _) in enumerate(_splc.compile_many(read, ask(target, abi), output, threads)):
        if not any(row[0][2] == "error" for row in rows):
            results.append(dict(files))
            continue
        error = CompileError(from_rows(rows), f"source {at} of {len(read)} cannot be compiled")
        if errors == "raise":
            raise error
        results.append(error)
    return results


@dataclass(frozen=True)
class Fixed:
    """A source after its edits."""

    text: str
    """The source, mended as far as that can be done unseen."""
    changes: tuple[str, ...]
    """What was changed: place, what it is now, and why."""
    diagnostics: tuple[Diagnostic, ...]
    """What is left to say."""

    def __str__(self) -> str:
        return self.text


def fix(source: Source, target: str | None = None, *, include: Files | None = None, name: str | None = None) -> Fixed:
    """Makes those corrections that need no second thought. The file itself stays as it is."""
    mended, changes, rows = _splc.fix(read_source(source, name), ask(target, include=include))
    return Fixed(mended.decode("utf-8", "surrogateescape"), tuple(changes), tuple(from_rows(rows)))


def format(source: Source, target: str | None = None, *, include: Files | None = None, name: str | None = None) -> str:
    """The source as ``splc fmt`` lays it out.

    :raises CompileError: if it cannot be read.
    """
    laid_out, rows = _splc.format(read_source(source, name), ask(target, include=include))
    if laid_out is None:
        raise CompileError(from_rows(rows), "the source cannot be laid out")
    return laid_out.decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Ported:
    """A level in the language of another game."""

    text: str
    """The source for that game."""
    account: str
    """What became of every statement: kept, changed, or lost."""
    diagnostics: tuple[Diagnostic, ...]
    """Warnings of what is not the same there."""

    def __str__(self) -> str:
        return self.text


def port(
    source: Source,
    to: str,
    target: str | None = None,
    *,
    strict: bool = False,
    stand_ins: Iterable[str] = (),
    include: Files | None = None,
    name: str | None = None,
) -> Ported:
    """Says a level in the language of another game.

    :param to: the game to go to, as :func:`targets` lists them, or a dialect.
    :param target: the game that the source is for.
    :param strict: takes whatever is not the same there for an error.
    :param stand_ins: tables of what stands for names that the other game lacks, as ``splc port --stand-ins`` reads them.
    :raises CompileError: if the source has mistakes, or cannot go over.
    """
    asked = ask(target, include=include)
    text, account, rows, _ = _splc.port(read_source(source, name), asked, ask(to), strict, list(stand_ins))
    diagnostics = from_rows(rows)
    if text is None or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise CompileError(diagnostics, f"the level cannot go to {to}")
    return Ported(text.decode("utf-8", "surrogateescape"), account, tuple(diagnostics))


def explain(code: str) -> str:
    """What diagnostics of this code or name are about.

    :raises KeyError: if there is no such code.
    """
    text = _splc.explain(code)
    if text is None:
        raise KeyError(code)
    return text


@dataclass(frozen=True)
class Target:
    """A game that levels can be made for."""

    name: str
    """What ``target=`` takes."""
    title: str
    dialect: str


def targets() -> list[Target]:
    """The games that levels can be made for."""
    return [Target(*row) for row in _splc.targets()]


def archive(files: Mapping[str, bytes]) -> bytes:
    """The ``nhdat`` of these files, in their order, byte for byte as the game's ``dlb`` writes it."""
    return _splc.archive(list(files.items()))


def read_archive(data: bytes) -> dict[str, bytes]:
    """The files in an ``nhdat``, in their order; with :func:`archive` it can be written again with other ones."""
    return dict(_splc.read_archive(data))
