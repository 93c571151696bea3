"""The surroundings of a run: the hero, the depth, the time, and the seeds."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from . import _splc
from .sources import as_names

_SEED_LIMIT = 1 << 64


@dataclass(frozen=True)
class Hero:
    """The hero, as far as a level can depend on it. Missing values have their defaults."""

    name: str | None = None
    role: str | None = None
    race: str | None = None
    alignment: Literal["chaotic", "neutral", "lawful"] | None = None
    carries: tuple[str, ...] = ()
    """Names of objects."""


@dataclass(frozen=True)
class Settings:
    """The game around a level. The defaults are depth 5 and a neutral human archeologist."""

    depth: int | None = None
    """Depth of the level, from 1. It is also the difficulty."""
    time: int | None = None
    """The hero's clock: seconds since 1970-01-01 00:00:00 in the hero's time zone."""
    hero: Hero = field(default_factory=Hero)


USUAL = Settings()
"""Settings that all have their defaults."""


def combined(settings: Settings, usual: Settings) -> Settings:
    """Returns settings, with those that are missing from others."""
    if not isinstance(settings, Settings):
        raise TypeError(f"settings must be splc.Settings, not {type(settings).__name__}")
    depth = usual.depth if settings.depth is None else settings.depth
    time = usual.time if settings.time is None else settings.time
    carries = tuple(as_names(settings.hero.carries))
    hero = settings.hero if settings.hero != Hero(carries=settings.hero.carries) else usual.hero
    return Settings(depth, time, replace(hero, carries=carries or usual.hero.carries))


def to_row(settings: Settings) -> _splc.Around:
    """Returns settings as the compiled part takes them."""
    hero = settings.hero
    return settings.depth, settings.time, hero.name, hero.role, hero.race, hero.alignment, hero.carries


def from_row(row: _splc.Around) -> Settings:
    """Returns the settings of a project."""
    depth, time, name, role, race, alignment, carries = row
    hero = Hero(name, role, race, cast("Literal['chaotic', 'neutral', 'lawful'] | None", alignment), tuple(carries))
    return Settings(depth, time, hero)


def one_seed(seed: int) -> int:
    """Returns a seed, which can be any whole number from 0 to 2**64 - 1."""
    number = operator.index(seed)
    if not 0 <= number < _SEED_LIMIT:
        raise ValueError(f"a seed must be between 0 and 2**64 - 1, not {number}")
    return number


def many_seeds(seeds: int | Iterable[int]) -> Sequence[int]:
    """Returns the seeds 1 to N for a number N, or else those that are listed."""
    if not isinstance(seeds, Iterable):
        count = operator.index(seeds)
        if count < 0:
            raise ValueError(f"a number of seeds cannot be negative: {count}")
        seeds = range(1, count + 1)
    if not isinstance(seeds, range):
        return [one_seed(seed) for seed in seeds]
    for end in (seeds[0], seeds[-1]) if seeds else ():
        one_seed(end)
    return seeds


def range_of_seeds(seeds: int | range) -> range:
    """Returns the seeds 1 to N for a number N, or else a range, if they are consecutive and at least one."""
    wanted = seeds if isinstance(seeds, range) else range(1, operator.index(seeds) + 1)
    if len(wanted) < 1 or wanted.step != 1:
        raise ValueError(f"seeds must be at least 1, or a range with the step 1, not {seeds}")
    many_seeds(wanted)
    return wanted


def ranges(seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Returns seeds as ranges from first to last."""
    if isinstance(seeds, range) and seeds.step == 1:
        return [(seeds[0], seeds[-1])] if seeds else []
    found: list[tuple[int, int]] = []
    for seed in sorted(seeds):
        if found and found[-1][1] + 1 == seed:
            found[-1] = (found[-1][0], seed)
        else:
            found.append((seed, seed))
    return found
