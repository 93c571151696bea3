"""How fast levels are replaced, reset and sampled: MiniHack's own way and splc's side by side, in one run.

    python benchmarks/levels.py [--check]

With --check, exit status 1 if splc is less than ten times faster at replacing a level than MiniHack itself, slower than
the reset that follows, or samples fewer than 30,000 levels a second of a room or a MazeWalk on one core. ExploreMaze is
measured, too: the game looks for a place for each of some 150 things there 2000 times, and where a pit makes the only
place, the draws cannot be passed over.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from typing import Any

os.environ.setdefault("USER", "splc")

import gymnasium
import minihack  # noqa: F401 - registers its environments

import splc
import splc.minihack

REPLACED = 40
SAMPLED = 20_000
ROOMS_AND_MAZES = [
    "MiniHack-Room-5x5-v0",
    "MiniHack-Room-Random-15x15-v0",
    "MiniHack-Room-Monster-15x15-v0",
    "MiniHack-Room-Ultimate-15x15-v0",
    "MiniHack-MazeWalk-9x9-v0",
    "MiniHack-MazeWalk-15x15-v0",
    "MiniHack-MazeWalk-45x19-v0",
    "MiniHack-ExploreMaze-Easy-v0",
    "MiniHack-ExploreMaze-Hard-v0",
]


def text_of(name: str) -> str:
    """The level of one of MiniHack's environments."""
    with splc.minihack.install():
        environment: Any = gymnasium.make(name).unwrapped
        source: bytes = environment._splc_source[2]
        environment.close()
    return source.decode()


def milliseconds(took: list[float]) -> str:
    return f"{statistics.median(took) * 1e3:7.3f} ms"


def replacing() -> list[str]:
    """Updates and resets, in turn, so that what else goes on counts for both."""
    text = text_of("MiniHack-MazeWalk-15x15-v0")
    texts = [f"{text}\nGOLD:{amount},random\n" for amount in range(1, REPLACED + 1)]
    environment: Any = gymnasium.make("MiniHack-Skill-Custom-v0", des_file=text).unwrapped
    theirs, ours, resets = [], [], []
    for text in texts:
        begun = time.perf_counter()
        environment.update(text)
        theirs.append(time.perf_counter() - begun)
        with splc.minihack.install():
            begun = time.perf_counter()
            environment.update(text)
            ours.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        environment.reset()
        resets.append(time.perf_counter() - begun)
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"replacing a level, median of {REPLACED}")
    print(f"  MiniHack itself {milliseconds(theirs)}\n  splc            {milliseconds(ours)}   {ratio:.1f} times faster")
    print(f"  the reset       {milliseconds(resets)}")
    wrong = [] if ratio >= 10 else [f"only {ratio:.1f} times faster"]
    return wrong if statistics.median(ours) < statistics.median(resets) else [*wrong, "slower than the reset"]


def sampling() -> list[str]:
    wrong = []
    cores = os.cpu_count() or 1
    print(f"sampling, levels a second: of processor time on one core, of real time on one and on {cores}")
    for name in ROOMS_AND_MAZES:
        level = splc.load(text_of(name), splc.minihack.TARGET)
        level.sample(1000, threads=1)
        begun, begun_on_clock = time.process_time(), time.perf_counter()
        level.sample(SAMPLED, threads=1)
        one, one_on_clock = SAMPLED / (time.process_time() - begun), SAMPLED / (time.perf_counter() - begun_on_clock)
        begun = time.perf_counter()
        level.sample(SAMPLED)
        all_ = SAMPLED / (time.perf_counter() - begun)
        print(f"  {name:34} {one:9,.0f}   {one_on_clock:9,.0f}   {all_:9,.0f}")
        if one < 30_000 and "ExploreMaze" not in name:
            wrong.append(f"{name}: {one:,.0f} levels a second")
    return wrong


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--check", action="store_true")
    asked = arguments.parse_args()
    wrong = replacing() + sampling()
    print("\n".join(f"TOO SLOW: {what}" for what in wrong) or "fast enough")
    return 1 if wrong and asked.check else 0


if __name__ == "__main__":
    sys.exit(main())
