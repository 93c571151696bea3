"""Judging levels: finds problems in finished levels, and compares two levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from . import _splc
from .diagnostics import Diagnostic, from_rows
from .levels import Level
from .projects import Config, Given
from .settings import USUAL, Settings, combined, from_row, range_of_seeds, to_row
from .sources import Catalog, Files, Language, Source, judge, read_source


@dataclass(frozen=True, repr=False)
class Finding:
    """A problem in the finished levels of a source."""

    diagnostic: Diagnostic
    level: str
    """Name of the level."""
    seeds: int
    """Number of seeds with it."""
    of: int
    """Number of all seeds."""
    first_seed: int | None
    """The first seed with it; ``None`` for a problem of all runs together, such as a statement that never runs."""
    place: tuple[int, int] | None
    """Its place with the first seed: column, from 1, and row."""
    picture: str
    """The level of the first seed, if there is one."""

    def __str__(self) -> str:
        return str(self.diagnostic)

    def __repr__(self) -> str:
        return f"<splc.Finding: {self.diagnostic.text}, on {self.seeds} of {self.of} seeds>"


def test(
    source: Source,
    target: str | None = None,
    *,
    seeds: int | range | None = None,
    threads: int | None = None,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    settings: Settings = USUAL,
    include: Files | None = None,
    catalog: Catalog | None = None,
    language: Language | None = None,
    name: str | None = None,
    dungeon: Config | None = None,
    config: Config | None = None,
    isolated: bool = False,
) -> list[Finding]:
    """Runs the levels of a source with many seeds and returns the problems of the finished levels: unreachable stairs,
    things in rock, statements that never run. Returns an empty list if there are none.

    :param seeds: a range of seeds, or a number N for the seeds 1 to N, as on the command line; by default those of the
        project, or 200.
    :param dungeon: as for :func:`splc.check`.
    :param config: as for :func:`splc.compile`.
    :param isolated: ignores project files.
    :raises CompileError: with every mistake in the source itself.
    """
    given = Given([source], target, None, allow, deny, include, catalog, dungeon, config, isolated)
    usual = USUAL
    if given.project is not None:
        usual = from_row(given.project.around)
        if seeds is None and given.project.seeds is not None:
            first_seed, last = given.project.seeds
            seeds = range(first_seed, last + 1)
    wanted = range_of_seeds(200 if seeds is None else seeds)
    rows, found = _splc.test_levels(
        read_source(source, name, language), given.in_dungeon(), wanted[0], wanted[-1], threads,
        to_row(combined(settings, usual)),
    )  # fmt: skip
    judge(rows, stacklevel=2)
    return [
        Finding(from_rows([row])[0], level, with_, of, first, place, "\n".join(line.rstrip() for line in picture))
        for row, (level, with_, of), (first, place, picture) in found
    ]


@dataclass(frozen=True)
class Verdict:
    """The result of comparing two levels."""

    answer: Literal["proven", "different", "not decided"]
    reason: str
    """The reason as text."""
    seeds: tuple[int, int] | None = None
    """A seed of each level that shows a difference, if applicable."""

    def __bool__(self) -> bool:
        """True unless the levels are known to differ."""
        return self.answer != "different"

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason}"


def equiv(one: Level, other: Level, *, seeds: int = 10_000, threads: int | None = None) -> Verdict:
    """Compares two levels, which may be for different games. They are equivalent if they have the same outcomes with
    the same probabilities. This is proven by trying every outcome if possible. Otherwise ``seeds`` runs of each are
    compared.

    Equivalent levels are reported as different less than once in a million times.
    """
    for level in (one, other):
        if not isinstance(level, Level):
            raise TypeError(f"equiv compares levels, as splc.load returns them, not {type(level).__name__}")
    return Verdict(*_splc.equiv(one._compiled, other._compiled, seeds, threads))
