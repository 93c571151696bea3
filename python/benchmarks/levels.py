"""Benchmark of replacing, resetting and sampling levels: MiniHack itself and splc side by side, in one run.

    python benchmarks/levels.py [--check]

With --check, exit status 1 if splc is less than ten times faster at replacing a level than MiniHack itself, slower than
the reset that follows, or samples fewer than 30,000 levels per second of a room or a MazeWalk on one core. ExploreMaze
is measured, too: the game searches 2000 times for a place for each of some 150 things there, and if a pit makes the
only place, the draws cannot be skipped.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("USER", "splc")

import gymnasium
import minihack  # noqa: F401 - registers its environments

import splc
import splc.minihack

REPLACED = 5
AT_A_TIME = 40
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
    """Returns the level of one of MiniHack's environments."""
    with splc.minihack.install():
        environment: Any = gymnasium.make(name).unwrapped
        source: bytes = environment._splc_source[2]
        environment.close()
    return source.decode()


def clocks() -> tuple[float, float]:
    """Returns the real time, and the CPU time of this process and its finished children."""
    used = os.times()
    return time.perf_counter(), used.user + used.system + used.children_user + used.children_system


def took(action: Callable[[], object], times: int) -> tuple[float, float]:
    """Runs `action` repeatedly. Returns the real time and the CPU time per run in milliseconds."""
    begun = clocks()
    for _ in range(times):
        action()
    ended = clocks()
    return (ended[0] - begun[0]) / times * 1e3, (ended[1] - begun[1]) / times * 1e3


def replacing() -> list[str]:
    """Alternates updates and resets, so that other load affects both. The result is CPU time, which does not depend on
    load. Its clock is coarse, so several updates are measured at once."""
    text = text_of("MiniHack-MazeWalk-15x15-v0")
    texts = [f"{text}\nGOLD:{amount},random\n" for amount in range(1, AT_A_TIME + 1)]
    environment: Any = gymnasium.make("MiniHack-Skill-Custom-v0", des_file=text).unwrapped

    def replace_all() -> None:
        for text in texts:
            environment.update(text)

    rows: dict[str, list[tuple[float, float]]] = {"MiniHack itself": [], "splc": [], "the reset": []}
    for _ in range(REPLACED):
        rows["MiniHack itself"].append(took(replace_all, 1))
        with splc.minihack.install():
            rows["splc"].append(took(replace_all, 1))
        rows["the reset"].append(took(environment.reset, AT_A_TIME))
    print(f"replacing a level: processor time and real time in ms, medians of {REPLACED} times {AT_A_TIME}")
    medians = {}
    for what, times in rows.items():
        share = 1 if what == "the reset" else AT_A_TIME
        real, processor = (statistics.median(column) / share for column in zip(*times))
        medians[what] = processor
        print(f"  {what:16} {processor:7.3f}  {real:7.3f}")
    ratio = medians["MiniHack itself"] / max(medians["splc"], 1e-6)
    print(f"  {ratio:.1f} times faster")
    wrong = [] if ratio >= 10 else [f"only {ratio:.1f} times faster"]
    return wrong if medians["splc"] < medians["the reset"] else [*wrong, "slower than the reset"]


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
