#!/usr/bin/env python3
"""Tests in the real game. `tests/real-game/run` builds splc and runs this with the path of the program.

Installs the Python packages nle (which contains NetHack 3.6.7 with its own level compiler) and minihack into a separate
environment, and compares splc, called under the name lev_comp, with that compiler:

  a) all des-files that ship with nle: the same level files, byte for byte;
  b) all des-files that ship with MiniHack, and 200 from its LevelGenerator (some with mistakes): the same level files,
     and the same files rejected; also 1000 levels of nle and of our corpus, each damaged at random (see damaged.py),
     with the first error on the same line;
  c) MiniHack's environments: the observations after a reset, with the levels of either compiler;
  d) levels of our own corpus in the real game: it must show everything that splc's VM predicts for all random numbers
     (see promised.py), and a wrong prediction must be found;
  e) with --time, the time that each needs to compile one level of MiniHack;
  f) `splc install`: a level at depth 1, one instead of the Oracle, a branch with its stairs, each with one command and
     checked in the game; `splc uninstall` restores the original file;
  g) `splc dungeon show`: the depths of levels and branches in 1000 games;
  h) dgn_comp and dlb of nle: the same bytes and listings;
  i) the commands of docs/how-to/first-level.md;
  j) levels of other games, ported to this one: nle's compiler accepts them without a message, and the game shows what
     splc's VM predicts. Uses our corpus, and the games' own levels if SPLC_REFERENCE names a folder with them.

The environment is kept in $XDG_CACHE_HOME/splc-real-game (~/.cache/splc-real-game), so that a second run needs no
network. If the packages cannot be installed, nothing is compared, and "NOT RUN" is printed. Exit status 1 if anything
differs.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import damaged
import promised

# Versions that were tested together. minihack uses pkg_resources, which later versions of setuptools lack, and some of
# its environments take their levels from minigrid.
PACKAGES = [
    "nle==1.3.0", "minihack==1.0.2", "gymnasium==1.2.0", "minigrid==3.0.0", "numpy>=2,<3", "setuptools<81",
]  # fmt: skip
TARGET = "nethack-3.6.7-nle"
GENERATED = 200
SEED = 36
DAMAGED = 1000
# Minimum share of first errors on the line that the original names. The others are reported where they can be fixed.
LEAST_SAME_LINES = 0.97
LEAST_ENVIRONMENTS = 20
LEAST_LEVELS = 40
# Everything that is the same with all VM seeds must be so in each of the games.
VM_SEEDS = (1, 200)
MORE_VM_SEEDS = (1, 3000)
GAME_SEEDS = [(1, 2), (30, 40), (500, 600)]
# Levels that crash the game itself when it loads them, and the reasons.
GAME_ENDS = {
    "ferrykeep": "an altar that is noncoaligned in a REGION that is a temple",
    "maproom": "an array that is made of its own elements",
    "gate": "a PORTAL to a level that its dungeon does not have",
    # Levels of UnNetHack: the elemental planes, which lead to each other at random, and a dungeon with more branches.
    **dict.fromkeys(["air", "earth", "fire", "water"], "a PORTAL to `random_plane`, which only UnNetHack knows"),
    **dict.fromkeys(["valley-1", "valley-2"], "PORTALs to levels that only UnNetHack's dungeon has"),
}
# Changes to control.des, each of which makes one prediction of the VM wrong.
CHANGES = [
    ("north, closed", "north, open"),
    ("L...T", "....T"),
    ("T...P", "....P"),
    ("P...|", "....|"),
    ("|...F...|", "|.......|"),
    ("S...I...|", "S.......|"),
    ("|...................|\n|.......--+--", "|.........-.........|\n|.......--+--"),
    ("DOOR: locked, (10,3)", "DOOR: open, (10,3)"),
    ("DOOR: closed, (12,5)", "TERRAIN: (12,5), '.'"),
    ("FOUNTAIN: (2,7)", "SINK: (2,7)"),
    ("ALTAR: (6,7), law, altar", "FOUNTAIN: (6,7)"),
    ("GRAVE: (8,7)", "GRAVE: (8,2)"),
    ("STAIR: (10,7), down", "LADDER: (10,7), down"),
    ("LADDER: (12,7), up", "LADDER: (12,7), down"),
    ('TRAP: "bear", (2,8)', 'TRAP: "fire", (2,8)'),
    ('TRAP: "magic", (4,8)', 'TRAP: "magic", (5,8)'),
    ('"chest"', '"large box"'),
    ('OBJECT: (\'`\', "boulder"), (8,8)', 'OBJECT: (\'`\', "boulder"), (8,2)'),
    ('"wood nymph"', '"water nymph"'),
    ("OBJECT: ')', (12,8)", "OBJECT: '[', (12,8)"),
    ("GOLD: 10, (14,8)", "OBJECT: '*', (14,8)"),
    ('"dwarf king"', '"dwarf lord"'),
    ('"lichen"), (16,7)', '"lichen"), (16,2)'),
    ("MONSTER: 'Z'", "MONSTER: 'S'"),
]
# A moved thing differs in both places, a wall also in the adjacent ones.
MOST_SEEN_OF_A_CHANGE = 3
TIMED_RUNS = 200
# Number of games started for the depths of their levels, and the most standard deviations between a count and its
# expectation. There are some hundred counts.
DEPTH_GAMES = 1000
DEVIATIONS = 5
HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "corpus" / "nethack36"
CONTROL = HERE / "control.des"
GARDEN = HERE / "garden.des"
FIRST_LEVEL = HERE.parent.parent / "docs" / "how-to" / "first-level.md"
MAIN_DUNGEON = "The Dungeons of Doom"
# Games whose levels are ported to this one, and their folders in the corpus.
PORTED = [("nethack-3.4.3", "nethack343"), ("unnethack-6.0.4", "unnethack")]
LEAST_PORTED = 15
# Files for which the game's compiler prints warnings for any game.
WARNED_OF = {"quirks.des"}


class NotRun(Exception):
    """The reason why the comparison cannot run."""


# --- The game


def install():
    """Installs the packages unless an earlier run has. Returns the environment's Python."""
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
        # Without a wheel for this Python, nle would be built from source with cmake, which takes too long.
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
    """Runs inside.py in the environment. Returns its JSON output."""
    command = [str(python), "-W", "ignore", str(HERE / "inside.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


# --- Compiling with both


def compiled(compiler, source):
    """Runs `compiler` on `source` in a temporary folder. Returns exit status, level files, and messages."""
    environment = {name: value for name, value in os.environ.items() if name != "SPLC_TARGET"}
    with tempfile.TemporaryDirectory() as folder:
        # Always the same name, because messages contain it.
        shutil.copy(source, pathlib.Path(folder) / "x.des")
        done = subprocess.run([str(compiler), "x.des"], cwd=folder, capture_output=True, env=environment, timeout=60)
        levels = {path.name: path.read_bytes() for path in pathlib.Path(folder).glob("*.lev")}
    return done.returncode, levels, done.stdout + done.stderr


def compare_sources(title, original, ours, sources, tally):
    """Compiles all `sources` with both compilers."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = pool.map(lambda source: (compiled(original, source), compiled(ours, source)), sources)
        results = list(zip(sources, pairs))
    levels = refused = 0
    different = []
    for source, (theirs, mine) in results:
        theirs, mine = theirs[:2], mine[:2]
        # For a rejected file, the original may leave the levels before the mistake; splc writes none.
        same = theirs[0] == mine[0] and (theirs[0] != 0 or theirs[1] == mine[1])
        if same and theirs[0] == 0 and theirs[1]:
            levels += len(theirs[1])
        elif same and theirs[0] != 0:
            refused += 1
        else:
            different.append(f"{source.name}: exit status {theirs[0]} there, {mine[0]} here")
    summary = f"{len(sources)} des-files, {levels} level files identical, {refused} des-files refused by both"
    tally.add(title, summary, len(sources) - len(different), different)


def compare_damaged(original, ours, sources, scratch, tally):
    """Compiles damaged levels of `sources` with both compilers."""
    folder = scratch / "damaged"
    folder.mkdir()
    files = []
    for number, text in enumerate(damaged.damaged(sources, DAMAGED, SEED)):
        files.append(folder / f"{number}.des")
        files[-1].write_bytes(text)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: (file, compiled(original, file), compiled(ours, file)), files))
    counts = collections.Counter()
    different = []
    for file, (theirs, their_levels, their_words), (mine, my_levels, my_words) in results:
        if theirs < 0:
            counts["crashes"] += 1
        elif theirs == mine == 0 and their_levels == my_levels:
            counts["identical"] += 1
        elif theirs == mine != 0:
            counts["refused"] += 1
            lines = damaged.first_error_line(their_words), damaged.first_error_line(my_words)
            counts["same line"] += lines[0] == lines[1]
        elif theirs == 0 and mine == 1 and damaged.is_deliberate(my_words):
            counts["deliberate"] += 1
        else:
            different.append(f"{file.name}: exit status {theirs} there, {mine} here, levels of {file.read_text('latin-1')!r}")
    if counts["same line"] < LEAST_SAME_LINES * counts["refused"]:
        different.append(f"only {counts['same line']} of {counts['refused']} first errors are on the same line")
    if counts["identical"] < DAMAGED // 10:
        different.append(f"only {counts['identical']} files are accepted")
    summary = (
        f"{DAMAGED} des-files, {counts['identical']} accepted by both with identical level files, {counts['refused']} "
        f"refused by both, {counts['same line']} of them on the same line, {counts['deliberate']} refused by splc alone "
        f"for what docs/reference/differences.md names, {counts['crashes']} at which the original crashes"
    )
    tally.add("b) damaged levels", summary, DAMAGED - len(different), different)


# --- Time


def cpu_time(compiler, folder):
    """Returns the CPU time of one run of `compiler` on x.des in `folder`, including process start, in microseconds."""
    # posix_spawn copies as little of this process as possible, since its size would count for both.
    child = os.posix_spawn(compiler, [str(compiler), "x.des"], os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{compiler} ended with {status}")
    return (usage.ru_utime + usage.ru_stime) * 1e6


def compare_time(original, ours, source, scratch):
    """Compares the time of both compilers for `source`. The runs alternate, so that other load affects both."""
    folder = scratch / "timed"
    folder.mkdir()
    shutil.copy(source, folder / "x.des")
    took = {original: [], ours: []}
    before = pathlib.Path.cwd()
    os.chdir(folder)
    for run in range(TIMED_RUNS):
        # Alternate the order as well.
        for compiler in (original, ours) if run % 2 else (ours, original):
            took[compiler].append(cpu_time(compiler, folder))
    os.chdir(before)
    theirs, mine = (statistics.median(took[compiler]) for compiler in (original, ours))
    ratio = mine / theirs
    summary = (
        f"median of {TIMED_RUNS} runs each, processor time with the start of the process: {mine:.0f} us with splc, "
        f"{theirs:.0f} us with the original: ratio {ratio:.2f}"
    )
    # Reported, not judged: the ratio depends on the processor and on its other work.
    print(f"e) time for {source.name}: {summary}", flush=True)


class Tally:
    """Numbers of passed and failed checks."""

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
    # If the levels did not matter, equal observations would prove nothing.
    if 2 * len(control["different"]) < result["environments"]:
        failures.append(f"without a compiler, only {len(control['different'])} environments look different")
    summary = (
        f"{result['environments']} environments, {result['resets']} resets, {result['arrays']} arrays compared "
        f"({len(not_made)} environments not made)"
    )
    tally.add("c) what MiniHack's environments show", summary, passed, failures)
    by_reason = {}
    for name, why in not_made:
        by_reason.setdefault(why, []).append(name)
    for why, names in by_reason.items():
        print(f"    not made: {', '.join(names)}: {why}")


def promised_by(splc, sources, folder):
    """Compiles all `sources` into `folder`, and predicts the content of their levels with the VM.

    Returns the predictions by level name, the source of each level, and the names of rejected files.
    """
    common = [str(splc), "--target", TARGET, "--message-format", "short", "-A", "all", "-o", f"{folder}/"]

    def one(source):
        refused = subprocess.run([*common, str(source)], capture_output=True).returncode != 0
        # A game has many levels, so only the promises are kept.
        levels = {} if refused else promised.made(splc, TARGET, source, VM_SEEDS)
        return refused, {name: promised.promises(documents) for name, documents in levels.items()}

    promises, origins, all_refused = {}, {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, (refused, levels) in zip(sources, pool.map(one, sources)):
            if refused:
                all_refused.append(source.name)
            for name, promises_of_level in levels.items():
                promises[name], origins[name] = promises_of_level, source
    return promises, origins, all_refused


def shown_by(python, hackdir, folder, wanted):
    """Returns the game's views of each level file and seed in `wanted`, and descriptions of its glyphs."""
    (folder / "wanted.json").write_text(json.dumps(wanted))
    answer = inside(python, "show", hackdir, folder)
    return answer["shown"], answer["glyphs"]


class Judged:
    """The game's views of levels, compared with the predictions of the VM."""

    def __init__(self, python, splc, hackdir, folder, sources):
        self.crashed, self.killed, self.broken, self.hidden = [], [], {}, 0
        self.kinds = collections.Counter()
        promises, origins, self.refused = promised_by(splc, sources, folder)
        wanted = [(f"{name}.lev", seed) for name in promises for seed in GAME_SEEDS]
        names = [name for name in promises for _ in GAME_SEEDS]
        shown, glyphs = shown_by(python, hackdir, folder, wanted)
        for name, views in zip(names, shown):
            if views is None:
                self.crashed.append(name)
                continue
            if not views:
                self.killed.append(name)
                continue
            kept, covered, wrong = promised.broken(promises[name], views, glyphs)
            if wrong:
                # A promise from many seeds may still be broken by more seeds, and the game uses other random numbers.
                documents = promised.made(splc, TARGET, origins[name], MORE_VM_SEEDS)[name]
                kept, covered, wrong = promised.broken(promised.promises(documents), views, glyphs)
            self.kinds.update(promised.kind(promise) for promise in kept)
            self.hidden += covered
            self.broken.setdefault(name, []).extend(wrong.values())

    def failures(self):
        wrong = [(name, wrong) for name, wrong in self.broken.items() if wrong]
        said = [f"{name}: {len(wrong)} times: {'; '.join(wrong[:3])}" for name, wrong in wrong]
        unseen = set(self.killed) - self.broken.keys() - set(self.crashed)
        said += [f"{name}: the hero is killed at once in every game" for name in sorted(unseen)]
        return said + [f"{name}: the game crashed" for name in sorted(set(self.crashed) - GAME_ENDS.keys())]

    def summary(self):
        return (
            f"{len(self.broken)} levels, {len(GAME_SEEDS)} games each, as the VM says with {VM_SEEDS[1]} seeds: "
            f"{self.kinds.total()} statements ({', '.join(f'{self.kinds[kind]} {kind}' for kind in promised.KINDS)}), "
            f"{self.hidden} hidden by something else; {len(set(self.crashed))} levels crash the game"
            + (f", in {len(self.killed)} games the hero is killed at once" if self.killed else "")
        )


def compare_with_vm(python, splc, ours, scratch, tally):
    judged = Judged(python, splc, ours, scratch / "corpus", [*sorted(CORPUS.glob("*.des")), CONTROL])
    failures = judged.failures()
    # All other files of the corpus are for every build; this one uses mail, which NLE's build lacks.
    if judged.refused not in ([], ["catalogue.des"]):
        failures.append(f"refused: {', '.join(judged.refused)}")
    missing = [kind for kind in promised.KINDS if not judged.kinds[kind]]
    if missing or len(judged.broken) < LEAST_LEVELS:
        failures.append(f"only {len(judged.broken)} levels, or none with: {', '.join(missing)}")
    passed = sum(not wrong for wrong in judged.broken.values())
    tally.add("d) our corpus in the real game", judged.summary(), passed, failures)


def compare_ports(python, splc, original, scratch, tally):
    """Ports levels of other games to this one, and checks them with the game's own compiler and in the game."""
    # The games' own levels take some ten minutes, so they only run on request, for changes to ports.
    reference = os.environ.get("SPLC_REFERENCE") if os.environ.get("SPLC_PORT_GAMES") else None
    for name, corpus in PORTED:
        folders = [("of our corpus", CORPUS.parent / corpus)]
        if reference and (pathlib.Path(reference) / name / "des").is_dir():
            folders.append(("of the game", pathlib.Path(reference) / name / "des"))
        else:
            print(f"NOT RUN: ports of the levels of {name} itself: SPLC_PORT_GAMES is not set, or there is no reference data")
        for whose, folder in folders:
            place = scratch / f"port-{name}-{whose.split()[-1]}"
            place.mkdir()
            failures, messages, ported = [], 0, []
            for source in sorted(folder.glob("*.des")):
                out = place / source.stem
                command = [str(splc), "port", "--target", name, "--to", TARGET, "-A", "all", "-o", f"{out}/", str(source)]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode != 0:
                    # Some files of the corpora have deliberate mistakes, or cannot be ported.
                    continue
                ported += out.glob("*.des")
            for source in ported:
                with tempfile.TemporaryDirectory() as bare:
                    shutil.copy(source, bare)
                    command = [str(original / "lev_comp"), source.name]
                    done = subprocess.run(command, cwd=bare, capture_output=True, text=True, timeout=60)
                said = (done.stdout + done.stderr).strip()
                if source.name in WARNED_OF and done.returncode == 0:
                    continue
                if done.returncode != 0 or said:
                    messages += 1
                    failures.append(f"{source.name}: the game's compiler says: {said.splitlines()[:1]}")
            judged = Judged(python, splc, original, place / "levels", ported)
            failures += judged.failures() + [f"{name} is refused" for name in judged.refused]
            if len(judged.broken) < LEAST_PORTED:
                failures.append(f"only {len(judged.broken)} levels")
            passed = len(ported) - messages + sum(not wrong for wrong in judged.broken.values())
            title = f"j) levels {whose}, ported from {name}"
            tally.add(title, f"{len(ported)} des-files, {judged.summary()}", passed, failures)


def control_comparison(python, splc, ours, scratch, tally):
    """Checks that a wrong prediction of the VM is found, by giving the game a level with one change."""
    folder = scratch / "control"
    text = CONTROL.read_text()
    expected = promised_by(splc, [CONTROL], folder)[0]["control"]
    wanted, failures = [("control.lev", GAME_SEEDS[0])], []
    for at, (old, new) in enumerate(CHANGES):
        assert text.count(old) == 1, old
        changed = folder / f"{at}" / "control.des"
        changed.parent.mkdir()
        changed.write_text(text.replace(old, new))
        compile = [str(splc), "--target", TARGET, "-o", f"{changed.parent}/", str(changed)]
        subprocess.run(compile, check=True, capture_output=True)
        wanted.append((f"{at}/control.lev", GAME_SEEDS[0]))
    shown, glyphs = shown_by(python, ours, folder, wanted)
    found = [promised.broken(expected, views, glyphs)[2] for views in shown]
    if found[0]:
        failures.append(f"the level itself: {'; '.join(found[0].values())}")
    for (old, new), wrong in zip(CHANGES, found[1:]):
        # A moved thing is missing in one place; a door or wall changes the adjacent walls.
        if not 1 <= len(wrong) <= MOST_SEEN_OF_A_CHANGE:
            failures.append(f"{old!r} for {new!r}: {len(wrong)} differences seen; {'; '.join(wrong.values())}")
    summary = f"a level of {len(expected)} statements, with one change {len(CHANGES)} times"
    tally.add("d) control: wrong statements are found", summary, 1 + len(CHANGES) - len(failures), failures)


# --- Surroundings of a level


def garden_rows():
    """Returns the rows of the garden's map."""
    text = GARDEN.read_text()
    return text[text.index("MAP\n") + 4 : text.index("ENDMAP")].splitlines()


def is_garden(rows):
    """Returns true if the screen `rows` shows the garden, with its fountains in place. Creatures may hide one."""
    wanted = [(y, x) for y, row in enumerate(garden_rows()) for x, letter in enumerate(row) if letter == "{"]
    for top in range(len(rows) - len(garden_rows())):
        for left in range(80 - len(garden_rows()[0])):
            seen = sum(rows[top + y][left + x : left + x + 1] == "{" for y, x in wanted)
            if seen >= len(wanted) - 1:
                return True
    return False


def install_levels(python, splc, hackdir, scratch, tally):
    game = scratch / "game"
    shutil.copytree(hackdir, game)
    original = (game / "nhdat").read_bytes()
    attic = scratch / "attic.des"
    attic.write_text(GARDEN.read_text().replace('"garden"', '"attic"'))
    failures, passed = [], 0

    def check(what, holds):
        nonlocal passed
        passed += bool(holds)
        failures.extend([] if holds else [what])

    def install(*arguments):
        done = subprocess.run([str(splc), "install", "--game", str(game), *map(str, arguments)], capture_output=True)
        check(f"install {' '.join(map(str, arguments))}: {done.stderr.decode()}", done.returncode == 0)

    check("the garden is there before it is installed", not is_garden(inside(python, "begin", game)))
    install(GARDEN, "--dungeon", MAIN_DUNGEON, "--at", "1")
    check("the garden is not where the game begins", is_garden(inside(python, "begin", game)))
    install(GARDEN, "--as", "oracle")
    # The game must find the lowest of three levels by the name that splc assigns.
    fillers = ["--levels", "3", "--filler", "attic"]
    install(attic, "--branch", MAIN_DUNGEON, "--at", "2", "--dungeon", "The Attic", "--up", *fillers)
    seen = inside(python, "visit", game, "oracle", "The Attic")
    check("the garden is not in the place of the Oracle", is_garden(seen["level"]))
    check(f"the attic is not up the stairs: {seen['tried']}", is_garden(seen["above"]))
    done = subprocess.run([str(splc), "uninstall", "--game", str(game)], capture_output=True)
    check("uninstall fails", done.returncode == 0)
    check("the original file is not there again", (game / "nhdat").read_bytes() == original)
    check("something is left", {path.name for path in game.iterdir()} == {path.name for path in hackdir.iterdir()})
    tally.add("f) levels installed", "at depth 1, as the Oracle, up a branch that is filled, and taken out", passed, failures)


def page_holds(python, splc, hackdir, scratch, tally):
    """Runs the commands of docs/how-to/first-level.md with the real game instead of the small one of its tests."""
    place = scratch / "page"
    place.mkdir()
    shutil.copytree(hackdir, place / "game")
    original = (place / "game" / "nhdat").read_bytes()
    (place / "bin").mkdir()
    (place / "bin" / "splc").symlink_to(splc)
    environment = dict(os.environ, PATH=f"{place / 'bin'}:{pathlib.Path(python).parent}:{os.environ['PATH']}")
    page = re.sub(r"<!-- The tests.*?^-->$", "", FIRST_LEVEL.read_text(), flags=re.M | re.S)
    failures, passed = [], 0
    for name, kind, block in re.findall(r"(?:^<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", page, flags=re.M | re.S):
        if name:
            (place / name).write_text(block)
            continue
        for command, says in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M) if kind == "console" else []:
            done = subprocess.run(command, shell=True, cwd=place, env=environment, capture_output=True, text=True)
            rows = [[row for row in text.splitlines() if row.strip()] for text in (says, done.stdout)]
            wanted, output = rows
            if wanted and wanted[0] == wanted[-1] == "...":
                wanted = wanted[1:-1]
                there = any(output[at : at + len(wanted)] == wanted for at in range(len(output) - len(wanted) + 1))
            else:
                there = not wanted or output == wanted
            there = there and done.returncode == 0
            passed += there
            failures.extend([] if there else [f"{command}: {done.stdout[-600:]}{done.stderr[-600:]}"])
    same = (place / "game" / "nhdat").read_bytes() == original
    passed += same
    failures.extend([] if same else ["the original file is not there again"])
    if passed < 8:
        failures.append(f"only {passed} commands")
    tally.add("i) docs/how-to/first-level.md", "its commands, with what they say", passed, failures)


def dungeon_of(splc, hackdir, scratch):
    """Returns the compiled dungeon of the game in `hackdir`, and its description as text."""
    subprocess.run([str(splc), "dlb", "extract", str(hackdir / "nhdat"), "dungeon", "-o", str(scratch)], check=True)
    text = subprocess.run([str(splc), "dungeon", "decompile", str(scratch / "dungeon")], check=True, capture_output=True)
    return scratch / "dungeon", text.stdout.decode()


def expected_depths(splc, hackdir, scratch):
    """Returns the probabilities of the depths of each level and branch, in percent, from `splc dungeon show`."""
    text = dungeon_of(splc, hackdir, scratch)[1]
    # A wizard's game has all possible levels.
    text = re.sub(r"^(LEVEL:.*\)) \d+$", r"\1", text, flags=re.M)
    text = re.sub(r"^(RNDLEVEL:.*\)) \d+ (\d+)$", r"\1 \2", text, flags=re.M)
    (scratch / "all.def").write_text(text)
    command = [str(splc), "dungeon", "show", "--target", TARGET, str(scratch / "all.def")]
    rows = subprocess.run(command, check=True, capture_output=True).stdout.decode().splitlines()
    expected = {}
    for row in rows:
        name, depths = row[:40].strip(), re.sub(r"  \(.*\)$", "", row[40:]).strip()
        if " to " in name:
            # "Stair to Sokoban", "One way stair to ...", "Portal to ...", "Connection to ...", as the game has it.
            name = "to " + name.split(" to ", 1)[1]
        found = dict(re.findall(r"(-?\d+) ([\d.]+)%", depths)) or {depths: "100"}
        expected.setdefault(name, {int(depth): float(often) for depth, often in found.items()})
    return expected


def compare_depths(python, splc, hackdir, scratch, tally):
    expected = expected_depths(splc, hackdir, scratch)
    counted = collections.defaultdict(collections.Counter)
    for game in inside(python, "depths", hackdir, DEPTH_GAMES):
        for name, depth in game.items():
            counted["to " + name.split(" to ", 1)[1] if " to " in name else name][depth] += 1
    failures, compared = [], 0
    for name, counts in counted.items():
        # Quest levels are named after the role. Dungeons have no depth.
        name = re.sub(r"^[A-Z][a-z]{2}-(strt|loca|goal)$", r"x-\1", name)
        if name not in expected or counts.total() < DEPTH_GAMES:
            continue
        for depth in expected[name].keys() | counts.keys():
            share = expected[name].get(depth, 0) / 100
            deviation = (DEPTH_GAMES * share * (1 - share)) ** 0.5
            compared += 1
            if abs(counts[depth] - DEPTH_GAMES * share) > DEVIATIONS * deviation + 0.1:
                failures.append(f"{name} at {depth}: {counts[depth]} of {DEPTH_GAMES}, expected {share:.2%}")
    if compared < 100:
        failures.append(f"only {compared} depths compared")
    tally.add("g) depths of levels", f"{DEPTH_GAMES} games, {compared} depths", compared - len(failures), failures)


def compare_tools(splc, hackdir, scratch, tally):
    failures, passed = [], 0
    compiled_dungeon, text = dungeon_of(splc, hackdir, scratch)
    folder = scratch / "tools"
    folder.mkdir()
    subprocess.run([str(splc), "--install-links", str(folder)], check=True, stdout=subprocess.DEVNULL)
    (folder / "dungeon.pdf").write_text(text)
    environment = dict(os.environ, SPLC_TARGET=TARGET)
    for tool, what in ((hackdir / "dgn_comp", "the original"), (folder / "dgn_comp", "splc")):
        subprocess.run([str(tool), "dungeon.pdf"], cwd=folder, env=environment, check=True)
        same = (folder / "dungeon").read_bytes() == compiled_dungeon.read_bytes()
        passed += same
        failures.extend([] if same else [f"{what} makes another dungeon of the description"])
    shutil.copy(hackdir / "nhdat", folder / "nhdat")
    listings = [
        subprocess.run([str(tool), "tvf", "nhdat"], cwd=folder, check=True, capture_output=True).stdout
        for tool in (hackdir / "dlb", folder / "dlb")
    ]
    subprocess.run([str(splc), "dlb", "extract", "nhdat", "-o", "out"], cwd=folder, check=True)
    names = [line.split()[0].decode() for line in listings[0].splitlines()[1:-1]]
    subprocess.run([str(folder / "dlb"), "cf", "../again", *names], cwd=folder / "out", check=True)
    for what, same in (
        ("listings differ", listings[0] == listings[1]),
        ("the archive made again differs", (folder / "again").read_bytes() == (folder / "nhdat").read_bytes()),
    ):
        passed += same
        failures.extend([] if same else [what])
    tally.add("h) dgn_comp and dlb", f"a dungeon, an archive of {len(names)} files", passed, failures)


def main():
    arguments = argparse.ArgumentParser(description="Compares splc with the level compiler of NLE, in the real game.")
    arguments.add_argument("splc", type=pathlib.Path)
    arguments.add_argument("--time", action="store_true", help="compare the time of the two compilers, too")
    arguments = arguments.parse_args()
    splc = arguments.splc.resolve()
    try:
        python = install()
    except NotRun as reason:
        print(f"NOT RUN: {reason}")
        print("real game: 0 passed, 0 failed, NOT RUN")
        return 0
    # The game needs this variable.
    os.environ.setdefault("USER", "judge")
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="splc-real-game-") as scratch:
        scratch = pathlib.Path(scratch)
        places = inside(python, "places")
        # Copies of the game's folder: unchanged, with splc as its level compiler, and with a compiler that does
        # nothing.
        original, ours, nothing = (scratch / name / "nethackdir" for name in ("original", "splc", "nothing"))
        for folder in (original, ours, nothing):
            shutil.copytree(places["hackdir"], folder)
        for tool in ("lev_comp", "dgn_comp", "dlb"):
            (ours / tool).unlink(missing_ok=True)
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
        compare_damaged(*compilers, nle + sorted(CORPUS.glob("*.des")), scratch, tally)
        compare_environments(python, original, ours, nothing, scratch, tally)
        compare_with_vm(python, splc, ours, scratch, tally)
        control_comparison(python, splc, ours, scratch, tally)
        (scratch / "around").mkdir()
        install_levels(python, splc, original, scratch / "around", tally)
        page_holds(python, splc, original, scratch / "around", tally)
        compare_depths(python, splc, original, scratch / "around", tally)
        compare_tools(splc, original, scratch / "around", tally)
        compare_ports(python, splc, original, scratch, tally)
        if arguments.time:
            # Time copies, as in an installation: a program that a linker has just written starts more slowly.
            for tool in ("lev_comp", "dgn_comp", "dlb"):
                (ours / tool).unlink(missing_ok=True)
            shutil.copy(splc, ours / "lev_comp")
            compare_time(*compilers, min(minihack), scratch)
    print(f"real game: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
