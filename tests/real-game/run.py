#!/usr/bin/env python3
"""The real game as judge: `tests/real-game/run` builds splc and calls this with the path of the program.

Installs the Python packages nle (which holds NetHack 3.6.7 with its own level compiler) and minihack into an
environment of its own, and compares splc, called under the name lev_comp, with that compiler:

  a) all des-files that nle ships: the same level files, byte for byte;
  b) all des-files that MiniHack ships, and 200 that its LevelGenerator makes (mistakes among them): the same
     level files, and the same files refused;
  c) MiniHack's environments: what the game shows after a reset, with the levels of either compiler;
  d) levels of our own corpus, in the real game: what it shows where the map of the des-file has walls, water,
     trees and other things that stay.

At last it tells how long each takes to compile one level.

The environment lies in $XDG_CACHE_HOME/splc-real-game (~/.cache/splc-real-game), so that a second run needs no
network. If the packages cannot be installed, nothing is compared, which is said: "NOT RUN". Exit status 1 if
anything differs.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import terrain

# What was tried together. pkg_resources, which minihack uses, went from setuptools later.
PACKAGES = ["nle==1.3.0", "minihack==1.0.2", "gymnasium==1.2.0", "numpy>=2,<3", "setuptools<81"]
TARGET = "nethack-3.6.7-nle"
GENERATED = 200
SEED = 36
LEAST_ENVIRONMENTS = 20
TIMED_RUNS = 200
HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "corpus" / "nethack36"


class NotRun(Exception):
    """What keeps the comparison from being made."""


# --- The game


def install():
    """Installs the packages, if they are not there from an earlier run; returns the environment's Python."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "splc-real-game"
    wanted = "\n".join([sys.version, *PACKAGES])
    folder = cache / hashlib.sha256(wanted.encode()).hexdigest()[:16]
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = folder / "complete"
    if complete.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    print(f"installing {', '.join(PACKAGES[:2])} ...", flush=True)
    steps = [
        [sys.executable, "-m", "venv", str(folder)],
        # nle is made with cmake from its source where there is no wheel for this Python: that takes too much.
        [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "--only-binary", "nle", *PACKAGES],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode != 0:
            said = done.stderr.strip() or done.stdout.strip() or "no reason given"
            if "connection" in said.lower() or "resolution" in said.lower():
                raise NotRun("the packages are not installed yet, and the network cannot be reached")
            raise NotRun(f"the packages cannot be installed: {said.splitlines()[-1]}")
    complete.touch()
    return python


def inside(python, *arguments):
    """Runs inside.py in the environment; returns what it prints, which is JSON."""
    command = [str(python), "-W", "ignore", str(HERE / "inside.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


# --- Compiling with both


def compiled(compiler, source):
    """What `compiler` makes of `source`, in a folder of its own: exit status and files."""
    environment = {name: value for name, value in os.environ.items() if name != "SPLC_TARGET"}
    with tempfile.TemporaryDirectory() as folder:
        # Under one name, as messages name it.
        shutil.copy(source, pathlib.Path(folder) / "x.des")
        done = subprocess.run([str(compiler), "x.des"], cwd=folder, capture_output=True, env=environment, timeout=60)
        levels = {path.name: path.read_bytes() for path in pathlib.Path(folder).glob("*.lev")}
    return done.returncode, levels


def compare_sources(title, original, ours, sources, tally):
    """Compiles all `sources` with both compilers."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = pool.map(lambda source: (compiled(original, source), compiled(ours, source)), sources)
        results = list(zip(sources, pairs))
    levels = refused = 0
    different = []
    for source, (theirs, mine) in results:
        # A refused file may leave levels behind that came before the mistake; splc writes none then.
        same = theirs[0] == mine[0] and (theirs[0] != 0 or theirs[1] == mine[1])
        if same and theirs[0] == 0 and theirs[1]:
            levels += len(theirs[1])
        elif same and theirs[0] != 0:
            refused += 1
        else:
            different.append(f"{source.name}: exit status {theirs[0]} there, {mine[0]} here")
    summary = f"{len(sources)} des-files, {levels} level files identical, {refused} des-files refused by both"
    tally.add(title, summary, len(sources) - len(different), different)


# --- Counting


def tell_time(original, ours, source, folder):
    """Tells how long both take for `source`: one run of each in turn."""
    shutil.copy(source, folder / "x.des")
    took = {original: [], ours: []}
    for run in range(TIMED_RUNS):
        # Neither always comes second.
        for compiler in (original, ours) if run % 2 else (ours, original):
            start = time.perf_counter()
            subprocess.run([str(compiler), "x.des"], cwd=folder, check=True)
            took[compiler].append(time.perf_counter() - start)
    theirs, mine = (statistics.median(took[compiler]) * 1e6 for compiler in (original, ours))
    faster = sum(mine <= theirs for theirs, mine in zip(took[original], took[ours]))
    print(
        f"e) time for {source.name}: median of {TIMED_RUNS} runs {mine:.0f} us with splc, {theirs:.0f} us with the "
        f"original (starting the process included); splc no slower in {faster} of {TIMED_RUNS} pairs"
    )


class Tally:
    """What passed and what failed, in the order of the checks."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, title, summary, passed, failures):
        self.passed += passed
        self.failed += len(failures)
        print(f"{title}: {summary}; {passed} passed, {len(failures)} failed", flush=True)
        for failure in failures[:20]:
            print(f"    {failure}")


def compare_environments(python, original, ours, nothing, scratch, tally):
    files = {"original": original, "splc": ours, "nothing": nothing}
    observed = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, folder in files.items():
            observed[name] = scratch / f"{name}.pickle"
            files[name] = pool.submit(inside, python, "observe", folder, observed[name])
        not_made = files["original"].result()["not_made"]
        files["splc"].result(), files["nothing"].result()
    result = inside(python, "compare", observed["original"], observed["splc"])
    control = inside(python, "compare", observed["original"], observed["nothing"])
    failures = result["different"]
    passed = result["environments"] - len(failures)
    if result["environments"] < LEAST_ENVIRONMENTS:
        failures.append(f"only {result['environments']} environments could be made")
    # If the levels of the compiler did not matter, equal observations would show nothing.
    if 2 * len(control["different"]) < result["environments"]:
        failures.append(f"without a compiler, only {len(control['different'])} environments look different")
    summary = (
        f"{result['environments']} environments, {result['resets']} resets, {result['arrays']} arrays compared "
        f"({len(not_made)} environments need further packages or files)"
    )
    tally.add("c) what MiniHack's environments show", summary, passed, failures)


def compare_terrain(python, splc, ours, scratch, tally):
    folder = scratch / "corpus"
    sources = sorted(CORPUS.glob("*.des"))
    common = [str(splc), "--target", TARGET, "--message-format", "short", "-A", "all", "-o", f"{folder}/"]
    refused = []
    for source in sources:
        runs = [[*common, "--emit", form, str(source)] for form in ("json", "lev")]
        if any(subprocess.run(run, capture_output=True).returncode != 0 for run in runs):
            (folder / source.with_suffix(".json").name).unlink(missing_ok=True)
            refused.append(source.name)
    levels = terrain.levels(folder)
    (folder / "expected.json").write_text(json.dumps(levels))
    shown = inside(python, "show", ours, folder)
    cells = covered = 0
    failures = []
    for name, level in levels.items():
        wrong = []
        for x, y, character, allowed in level:
            symbol = shown[name][y][x - 1]
            # A thing or a creature, which may stand on what is looked for.
            if symbol is None:
                covered += 1
            elif symbol in allowed:
                cells += 1
            else:
                wrong.append(f"({x},{y}) is {symbol} where the map has '{character}'")
        if wrong:
            failures.append(f"{name}: {len(wrong)} of {len(level)} cells: {'; '.join(wrong[:3])}")
    passed = len(levels) - len(failures)
    # All other files of the corpus are for every build; that one names what NLE's does not have: mail.
    if refused not in ([], ["catalogue.des"]):
        failures.append(f"refused: {', '.join(refused)}")
    summary = f"{len(levels)} levels with maps, {cells} cells as in the map, {covered} covered by things"
    tally.add("d) our corpus in the real game", summary, passed, failures)


def main():
    arguments = argparse.ArgumentParser(description="Compares splc with the level compiler of NLE, in the real game.")
    arguments.add_argument("splc", type=pathlib.Path)
    splc = arguments.parse_args().splc.resolve()
    try:
        python = install()
    except NotRun as reason:
        print(f"NOT RUN: {reason}")
        print("real game: 0 passed, 0 failed, NOT RUN")
        return 0
    # The game asks for it.
    os.environ.setdefault("USER", "judge")
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="splc-real-game-") as scratch:
        scratch = pathlib.Path(scratch)
        places = inside(python, "places")
        # Copies of the game's folder: as it is, with splc as its level compiler, and with none that does anything.
        original, ours, nothing = (scratch / name / "nethackdir" for name in ("original", "splc", "nothing"))
        for folder in (original, ours, nothing):
            shutil.copytree(places["hackdir"], folder)
        (ours / "lev_comp").unlink()
        subprocess.run([str(splc), "--install-links", str(ours)], check=True, stdout=subprocess.DEVNULL)
        (nothing / "lev_comp").write_text("#!/bin/sh\n")

        nle = sorted(pathlib.Path(places["hackdir"]).glob("dat/*.des"))
        minihack = sorted(pathlib.Path(places["minihack"]).glob("*.des"))
        inside(python, "generate", scratch / "generated", GENERATED, SEED)
        generated = sorted((scratch / "generated").glob("*.des"))
        compilers = original / "lev_comp", ours / "lev_comp"
        compare_sources("a) levels of nle", *compilers, nle, tally)
        compare_sources("b) levels of MiniHack", *compilers, minihack, tally)
        compare_sources("b) levels of its LevelGenerator", *compilers, generated, tally)
        compare_environments(python, original, ours, nothing, scratch, tally)
        compare_terrain(python, splc, ours, scratch, tally)
        tell_time(*compilers, min(minihack), scratch)
    print(f"real game: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
