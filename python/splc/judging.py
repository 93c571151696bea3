"""Judging levels: what is wrong with those that come out, and whether two levels are the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from . import _splc
from .compiling import Files, Source, ask, judge, read_source
from .diagnostics import Diagnostic, from_rows
from .levels import Level, Settings


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with levels that come out of a source."""

    diagnostic: Diagnostic
    level: str
    """Name of the level."""
    seeds: int
    """With how many seeds."""
    of: int
    """Of how many."""
    first_seed: int | None
    """The first of them; ``None`` for what holds for all together, as a statement that never runs."""
    place: tuple[int, int] | None
    """Where it shows with the first seed: column, from 1, and row."""
    picture: str
    """The level of the first seed, if there is one."""

    def __str__(self) -> str:
        return str(self.diagnostic)


def test(
    source: Source,
    target: str | None = None,
    *,
    seeds: int = 1000,
    first_seed: int = 1,
    threads: int | None = None,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    settings: Settings = Settings(),
    include: Files | None = None,
    name: str | None = None,
) -> list[Finding]:
    """Makes the levels of a source with many seeds and says what is wrong with what comes out: stairs that cannot be
    reached, things in rock, statements that never run. An empty list if nothing is.

    :raises CompileError: with every mistake in the source itself.
    """
    if seeds < 1:
        raise ValueError(f"at least one seed, and not {seeds}")
    rows, found = _splc.test_levels(
        read_source(source, name), ask(target, None, allow, deny, include), first_seed, first_seed + seeds - 1, threads,
        settings._row(),
    )  # fmt: skip
    judge(rows, stacklevel=2)
    return [
        Finding(from_rows([row])[0], level, with_, of, first, place, "\n".join(line.rstrip() for line in picture))
        for row, (level, with_, of), (first, place, picture) in found
    ]


@dataclass(frozen=True)
class Verdict:
    """Whether two levels make the same level."""

    answer: Literal["proven", "different", "not decided"]
    reason: str
    """Why, in words."""
    seeds: tuple[int, int] | None = None
    """A seed of each level that shows a difference, if that takes one."""

    def __bool__(self) -> bool:
        """Whether they may be the same: it is not shown that they differ."""
        return self.answer != "different"

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason}"


def equiv(one: Level, other: Level, *, seeds: int = 10_000, threads: int | None = None) -> Verdict:
    """Whether two levels come to the same things with the same probabilities: proven by trying every outcome where that
    can be, or else compared with ``seeds`` levels of each. They may be for different games.

    Levels that are alike are called different less than once in a million times.
    """
    return Verdict(*_splc.equiv(one._compiled, other._compiled, seeds, threads))
