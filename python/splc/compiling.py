"""Operations on sources: compile, check, fix, format, port."""

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
    """Returns the name, path and bytes of ``source``.

    Raises :class:`OSError` if it is a file that cannot be read.
    """
    if isinstance(source, bytes):
        return name or "level", None, source
    if isinstance(source, str):
        if not source.endswith(".des") or "\n" in source:
            return name or "level.des", None, source.encode("utf-8", "surrogateescape")
    elif not isinstance(source, os.PathLike):
        raise TypeError(f"a source must be text, bytes or a path, not {type(source).__name__}")
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
    """Returns the options besides the source for the compiled part."""
    files = {name: text.encode() if isinstance(text, str) else text for name, text in (include or {}).items()}
    return _splc.Asked(target, abi, list(allow), list(deny), files, list(recorded))


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
    """Compiles a des-file. Returns its files by name, such as ``{"castle.lev": b"..."}``.

    :param source: text, bytes or a path.
    :param target: the game, as listed by :func:`targets`, or a dialect for its default game. By default it is detected
        from the text.
    :param abi: the machine, such as ``x86_64-linux``; by default the usual one of the game.
    :param output: ``lev`` for level files, or another form of ``splc --emit``.
    :param allow: names or codes of lints to ignore.
    :param deny: names or codes of lints to report as errors.
    :param include: files for INCLUDE, by the name in the statement. Files in the folder of the source are found, too.
    :param name: the name of the source in messages.
    :raises CompileError: with every mistake in the source.
    :raises ValueError: if the target is unknown or cannot be detected.
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
    """Returns the diagnostics of a source in its order; an empty list if it has none. Takes the arguments of
    :func:`compile`, but does not raise for mistakes in the source."""
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
    """Compiles many sources independently, with the interpreter's lock released, on all cores or ``threads``
    threads.

    :param errors: ``raise`` raises :class:`CompileError` for the first source with mistakes; ``return`` returns the
        exception at its position in the list.
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors must be 'raise' or 'return', not {errors!r}")
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
    """A fixed source."""

    text: str
    """The source with all safe fixes applied."""
    changes: tuple[str, ...]
    """The changes: place, new text, and reason."""
    diagnostics: tuple[Diagnostic, ...]
    """The remaining diagnostics."""

    def __str__(self) -> str:
        return self.text


def fix(source: Source, target: str | None = None, *, include: Files | None = None, name: str | None = None) -> Fixed:
    """Applies the fixes that are safe without review. The file itself is not changed."""
    mended, changes, rows = _splc.fix(read_source(source, name), ask(target, include=include))
    return Fixed(mended.decode("utf-8", "surrogateescape"), tuple(changes), tuple(from_rows(rows)))


def format(source: Source, target: str | None = None, *, include: Files | None = None, name: str | None = None) -> str:
    """Returns the source, formatted like ``splc fmt``.

    :raises CompileError: if it cannot be read.
    """
    laid_out, rows = _splc.format(read_source(source, name), ask(target, include=include))
    if laid_out is None:
        raise CompileError(from_rows(rows), "the source cannot be formatted")
    return laid_out.decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Ported:
    """A level in the language of another game."""

    text: str
    """The source for that game."""
    account: str
    """The outcome of every statement: kept, changed, or lost."""
    diagnostics: tuple[Diagnostic, ...]
    """Warnings about differences."""

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
    """Ports a level to the language of another game.

    :param to: the target game, as listed by :func:`targets`, or a dialect.
    :param target: the game that the source is for.
    :param strict: reports every difference as an error.
    :param stand_ins: tables of replacements for names that the other game lacks, as for ``splc port --map``.
    :raises CompileError: if the source has mistakes, or cannot be ported.
    """
    asked = ask(target, include=include)
    text, account, rows, _ = _splc.port(read_source(source, name), asked, ask(to), strict, list(stand_ins))
    diagnostics = from_rows(rows)
    if text is None or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise CompileError(diagnostics, f"the level cannot be ported to {to}")
    return Ported(text.decode("utf-8", "surrogateescape"), account, tuple(diagnostics))


def explain(code: str) -> str:
    """Returns the explanation of a diagnostic code or name.

    :raises KeyError: if there is no such code.
    """
    text = _splc.explain(code)
    if text is None:
        raise KeyError(code)
    return text


@dataclass(frozen=True)
class Target:
    """A game that splc compiles levels for."""

    name: str
    """The value for ``target=``."""
    title: str
    dialect: str


def targets() -> list[Target]:
    """Returns the games that splc compiles levels for."""
    return [Target(*row) for row in _splc.targets()]


def archive(files: Mapping[str, bytes]) -> bytes:
    """Returns the ``nhdat`` of these files in this order, byte for byte as the game's ``dlb`` writes it."""
    return _splc.archive(list(files.items()))


def read_archive(data: bytes) -> dict[str, bytes]:
    """Returns the files in an ``nhdat``, in order. :func:`archive` writes a changed set back."""
    return dict(_splc.read_archive(data))
