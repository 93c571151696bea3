"""Compares MiniHack's environments, and levels of its LevelGenerator, with splc.minihack and without.

    python observations.py [--environments NUMBER] [--levels NUMBER]

Compares all environments that MiniHack registers (or NUMBER of them, spread over the list) and NUMBER levels of its
LevelGenerator (default 500): the observations after a reset with three seeds each, key by key, and the archives that
the game reads, byte by byte. Prints a line of JSON. Exit status 1 if anything differs.

Levels are compared in a separate process, because some of them crash the game itself, with either compiler.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types
from typing import Any

HERE = pathlib.Path(__file__).resolve()
LEVEL_SEED = 13


def inside() -> Any:
    """Loads tests/real-game/inside.py, which creates such environments and levels for the command line, too."""
    path = HERE.parent.parent.parent / "tests" / "real-game" / "inside.py"
    spec = importlib.util.spec_from_file_location("inside", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def noted(environment: Any, seeds: Any, numpy: Any) -> list[dict[str, Any]]:
    """Returns the observation after a reset with each of the seeds, and the archive that the game reads."""
    all_ = []
    for core, display in seeds:
        environment.seed(core, display, False)
        try:
            observation, _ = environment.reset()
        except (AssertionError, RuntimeError) as ended:
            # "Game ended unexpectedly", "NetHack done right after reset": the hero dies at once in such a level.
            observation = {"ended": numpy.frombuffer(str(ended).encode(), dtype=numpy.uint8)}
        arrays = {key: numpy.array(value).copy() for key, value in observation.items()}
        archive = pathlib.Path(environment.nethack._vardir, "nhdat").read_bytes()
        all_.append({**arrays, "archive": numpy.frombuffer(archive, dtype=numpy.uint8)})
    return all_


def differences(one: list[dict[str, Any]], other: list[dict[str, Any]], numpy: Any) -> list[str]:
    wrong = [] if len(one) == len(other) else ["other resets"]
    for at, (left, right) in enumerate(zip(one, other)):
        keys = left.keys() | right.keys()
        wrong += [f"reset {at}: {key}" for key in sorted(keys) if not numpy.array_equal(left.get(key), right.get(key))]
    return wrong


def environments(most: int | None) -> dict[str, Any]:
    judge = inside()
    import gymnasium
    import minihack.envs.minigrid
    import numpy

    import splc.minihack

    judge.be_repeatable()
    folder = tempfile.TemporaryDirectory()
    judge.lay_out_warehouses(pathlib.Path(folder.name))
    minihack.envs.minigrid.gym = types.SimpleNamespace(make=judge.make_grid)
    names = sorted(name for name in gymnasium.envs.registry if name.startswith("MiniHack-"))
    if most is not None:
        names = names[:: max(1, len(names) // most)]
    not_made, different, resets = [], [], 0

    def observed(name: str) -> list[dict[str, Any]]:
        # Some environments choose their level with these generators.
        random.seed(1)
        numpy.random.seed(1)
        environment = judge.make(name)
        try:
            return noted(environment, judge.SEEDS, numpy)
        finally:
            environment.close()

    for name in names:
        try:
            theirs = observed(name)
        except (ImportError, AttributeError, TypeError, AssertionError) as error:
            # It needs other packages or files.
            not_made.append(f"{name}: {error or type(error).__name__}")
            continue
        with splc.minihack.install():
            ours = observed(name)
        resets += len(theirs)
        different += [f"{name}, {what}" for what in differences(theirs, ours, numpy)]
    made = len(names) - len(not_made)
    return {"environments": made, "resets": resets, "not_made": not_made, "different": different}


def generated(first: int, count: int) -> None:
    """Compares the levels one by one. Prints a line for each."""
    judge = inside()
    import gymnasium
    import numpy

    import splc.minihack

    monsters, objects = judge.species()
    theirs = gymnasium.make("MiniHack-Skill-Custom-v0", des_file="closed_door.des").unwrapped
    with splc.minihack.install():
        ours = gymnasium.make("MiniHack-Skill-Custom-v0", des_file="closed_door.des").unwrapped
    level = pathlib.Path(theirs.nethack._vardir, "lib", "mylevel.lev")
    compared = number = 0
    while compared < count:
        draw = random.Random(LEVEL_SEED * 1_000_003 + number)
        text = judge.one_level(draw, monsters, objects)
        number += 1
        if number <= first:
            continue
        # If the game crashes, this is the last line.
        print(json.dumps({"number": number}), flush=True)
        # MiniHack ignores the exit status of lev_comp, so a written level is recognised by its time.
        os.utime(level, (0, 0))
        theirs.update(text)
        refused = level.stat().st_mtime == 0
        error = None
        with splc.minihack.install():
            try:
                ours.update(text)
            except splc.CompileError as wrong:
                error = wrong
        if refused or error is not None:
            same = refused and error is not None
            print(json.dumps({"refused": number, "different": [] if same else [f"level {number}: one refuses it"]}))
            continue
        result = differences(noted(theirs, judge.SEEDS, numpy), noted(ours, judge.SEEDS, numpy), numpy)
        compared += 1
        print(json.dumps({"level": number, "different": [f"level {number}, {what}" for what in result]}), flush=True)


def levels(count: int) -> dict[str, Any]:
    compared = refused = first = 0
    ended, different = [], []
    while compared < count:
        command = [sys.executable, "-W", "ignore", str(HERE), "--from", str(first), "--levels", str(count - compared)]
        done = subprocess.run(command, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            if not line.startswith("{"):
                continue
            told = json.loads(line)
            first = told.get("number", first)
            compared += "level" in told
            refused += "refused" in told
            different += told.get("different", [])
        if done.returncode < 0:
            # Ended by a signal: the last printed number is that of the level.
            ended.append(first)
        elif done.returncode > 0:
            raise RuntimeError(done.stderr)
    return {"levels": compared, "refused_by_both": refused, "game_ended": ended, "different": different}


def main() -> int:
    os.environ.setdefault("USER", "splc")
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--environments", type=int)
    arguments.add_argument("--levels", type=int, default=500)
    arguments.add_argument("--from", type=int, dest="first")
    asked = arguments.parse_args()
    if asked.first is not None:
        generated(asked.first, asked.levels)
        return 0
    result = {"environments": environments(asked.environments), "levels": levels(asked.levels)}
    print(json.dumps(result))
    return 1 if result["environments"]["different"] or result["levels"]["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
