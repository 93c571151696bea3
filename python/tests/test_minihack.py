"""Tests of MiniHack with splc: silent failures become exceptions, and the requested level is played."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import stat
import subprocess
import sys
import textwrap
import traceback
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import TARGET, WRONG, YARD

import splc
import splc.minihack

pytest.importorskip("minihack")
import gymnasium  # noqa: E402
import minihack.base  # noqa: E402
from minihack import LevelGenerator  # noqa: E402
from minihack.base import MiniHack  # noqa: E402

ORIGINAL = MiniHack._patch_nhdat
CORNER = YARD.replace("(5,2,5,2),(0,0,0,0)", "(1,1,1,1),(0,0,0,0)").replace("}}}", "...")


def installed_files() -> dict[str, str]:
    """Returns the hashes of all files of NLE and MiniHack that levels need."""
    folders = [Path(minihack.base.HACKDIR), Path(minihack.base.LIB_DIR), Path(minihack.base.PATH_DAT_DIR)]
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.fixture(autouse=True)
def nothing_else_is_changed() -> Iterator[None]:
    splc.minihack._said.clear()
    before = installed_files()
    yield
    assert installed_files() == before
    assert MiniHack._patch_nhdat is ORIGINAL and not splc.minihack.is_installed()
    assert "SPLC_MINIHACK" not in os.environ


def make(des: str, **more: Any) -> Any:
    return gymnasium.make("MiniHack-Skill-Custom-v0", des_file=des, **more).unwrapped


def shown(environment: Any, seed: int = 1) -> str:
    environment.seed(seed, seed, False)
    observation, _ = environment.reset()
    rows = ["".join(map(chr, row)).rstrip() for row in observation["chars"]]
    return "\n".join(row for row in rows if row)


def archive_of(environment: Any) -> bytes:
    return Path(environment.nethack._vardir, "nhdat").read_bytes()


# --- Unchanged behaviour


def test_archives_and_observations_match_minihack_itself() -> None:
    for des in (YARD, "closed_door.des", "soko1a.des"):
        theirs = make(des)
        with splc.minihack.install():
            ours = make(des)
        assert archive_of(ours) == archive_of(theirs)
        for seed in (1, 2, 3):
            assert shown(ours, seed) == shown(theirs, seed)


def test_a_shorter_level_after_a_longer_one_has_the_same_archive_too() -> None:
    longer = YARD + "GOLD: 7, random\n" * 20
    theirs = make(longer)
    theirs.update(YARD)
    with splc.minihack.install():
        ours = make(longer)
        ours.update(YARD)
    assert archive_of(ours) == archive_of(theirs)
    with splc.minihack.install():
        assert archive_of(make(YARD)) != archive_of(ours)
    assert shown(ours) == shown(theirs)


def test_samples_match_nle() -> None:
    """Compares symbols and colours of a level without randomness, square by square."""
    fixed = """
MAZE: "mylevel", ' '
FLAGS: premapped
GEOMETRY: center, center
MAP
-------------
|...T...{...|
|..}}}..|...|
|...LL..+...|
|.......|..F|
-------------
ENDMAP
REGION: (0,0,12,5), lit, "ordinary"
DOOR: closed, (8,3)
FOUNTAIN: (8,1)
STAIR: (11,1), down
BRANCH: (1,1,1,1), (0,0,0,0)
"""
    with splc.minihack.install():
        environment = make(fixed, observation_keys=("chars", "colors", "blstats"))
    environment.seed(1, 1, False)
    observation, _ = environment.reset()
    made = splc.load(fixed, "nethack-3.6.7-nle").run(1)
    hero_x, hero_y = observation["blstats"][:2]
    assert made.arrival_from_above is None or made.arrival_from_above.within
    compared = 0
    for y in range(21):
        for x in range(79):
            if (x, y) == (hero_x, hero_y) or observation["chars"][y, x] == ord(" "):
                continue
            square = chr(made.chars[y, x + 1])
            assert square == chr(observation["chars"][y, x]), (x, y)
            # Releases of the game differ in the colours of stairs, fountains and graves.
            if square not in "<>{_":
                assert made.colors[y, x + 1] == observation["colors"][y, x], (x, y, square)
                compared += 1
    assert compared > 60


# --- Formerly silent failures


def test_a_mistake_in_the_first_level() -> None:
    with splc.minihack.install():
        with pytest.raises(splc.CompileError) as caught:
            make(WRONG)
    assert "mylevel.des:17:" in str(caught.value) and "('v',\"dust vortex\")" in str(caught.value)
    # The traceback contains the call that passed the level.
    assert __file__ in {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}


def test_a_mistake_in_a_later_level() -> None:
    with splc.minihack.install():
        environment = make(YARD)
        before = archive_of(environment)
        with pytest.raises(splc.CompileError):
            environment.update(WRONG)
        assert archive_of(environment) == before
        environment.update(CORNER)
        assert "}}}" not in shown(environment)
    # MiniHack itself continues with the previous level.
    environment.update(YARD)
    assert "}}}" in shown(environment)
    environment.update(CORNER.replace("('v', \"dust vortex\")", "'v',\"dust vortex\""))
    assert "}}}" in shown(environment)


def test_missing_files(tmp_path: Path) -> None:
    with splc.minihack.install():
        for name in ("nowhere.des", str(tmp_path / "x.des")):
            with pytest.raises(FileNotFoundError, match="no such des-file"):
                make(name)
        (tmp_path / "mine.des").write_text(YARD)
        assert "}}}" in shown(make(str(tmp_path / "mine.des")))


def test_a_level_that_the_game_would_not_load() -> None:
    with splc.minihack.install():
        with pytest.raises(splc.CompileError, match='never load the level "mylevl"'):
            make(YARD.replace("mylevel", "mylevl"))
        with pytest.raises(splc.CompileError, match="begin in a random maze"):
            make(YARD.replace("mylevel", "oracle"))
        environment = make(YARD)
        # Another level of the dungeon is added to it.
        environment.update(YARD.replace("mylevel", "oracle"))
        assert list(splc.read_archive(archive_of(environment))) == ["dungeon", "mylevel.lev", "oracle.lev", "quest.dat"]


def test_mistakes_name_the_line_of_python_that_added_the_statement() -> None:
    with splc.minihack.install():
        generator = LevelGenerator(w=5, h=5)
        generator.add_goal_pos((1, 1))
        line = sys._getframe().f_lineno + 1
        generator.add_monster("giant eal", ";", (2, 2))
        generator.add_line("TRAP:\"pit\",(1,2)")
        with pytest.raises(splc.CompileError) as caught:
            make(generator.get_des())
    assert f"test_minihack.py:{line}" in str(caught.value)
    assert LevelGenerator.add_monster.__name__ == "add_monster" and not hasattr(LevelGenerator.add_monster, "__wrapped__")


def test_a_blank_in_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spaced = tmp_path / "my envs" / "lib"
    shutil.copytree(minihack.base.LIB_DIR, spaced)
    monkeypatch.setattr(minihack.base, "LIB_DIR", str(spaced))
    temporary = tmp_path / "my tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with splc.minihack.install():
        first, second = make(YARD), make(CORNER)
        assert " " in first.nethack._vardir
        assert "}}}" in shown(first) and "}}}" not in shown(second)


def test_two_environments_at_once() -> None:
    with splc.minihack.install():
        one, other = make(YARD), make(CORNER)
        for seed in (1, 2):
            assert "}}}" in shown(one, seed) and "}}}" not in shown(other, seed)
        one.update(CORNER)
        other.update(YARD)
        assert "}}}" not in shown(one) and "}}}" in shown(other)


PROGRAM = textwrap.dedent("""
    import os, sys
    import gymnasium, minihack
    yard = sys.argv[1]
    environment = gymnasium.make("MiniHack-Skill-Custom-v0", des_file=yard).unwrapped
    for amount in range(5):
        environment.update(yard.replace("GOLD: 10", f"GOLD: {amount + 1}"))
        environment.seed(1, 1, False)
        observation, _ = environment.reset()
        assert (observation["chars"] == ord("}")).sum() == 3
    try:
        environment.update("LEVEL:")
        print("silent")
    except Exception as error:
        print(type(error).__module__, type(error).__name__)
""")


def test_sixteen_processes_at_once_and_the_variable() -> None:
    environment = {**os.environ, "SPLC_MINIHACK": "1"}

    def one(_: int) -> str:
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM, YARD]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(one, range(16))) == {"splc.diagnostics CompileError"}
    # Without the variable nothing is installed.
    del environment["SPLC_MINIHACK"]
    assert one(0).endswith("silent")


def test_started_processes_have_it_too() -> None:
    # Every process of a vector of environments compiles its own levels.
    with splc.minihack.install():
        assert os.environ["SPLC_MINIHACK"] == "1"
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM, YARD]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.stdout.strip() == "splc.diagnostics CompileError", done.stderr


def test_a_package_folder_that_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hackdir, lib = tmp_path / "nethackdir", tmp_path / "lib"
    shutil.copytree(minihack.base.HACKDIR, hackdir)
    shutil.copytree(minihack.base.LIB_DIR, lib)
    monkeypatch.setattr(minihack.base, "LIB_DIR", str(lib))
    monkeypatch.setattr(minihack.base, "HACKDIR", str(hackdir))
    folders = [hackdir, lib]
    for folder in folders:
        for path in [*folder.rglob("*"), folder]:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)
    try:
        with splc.minihack.install():
            environment = make(YARD)
            environment.update(CORNER)
            assert "}}}" not in shown(environment)
    finally:
        for folder in folders:
            for path in [folder, *folder.rglob("*")]:
                path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o200)


def test_the_installed_archive_is_not_written_through_the_link() -> None:
    with splc.minihack.install():
        environment = make(YARD)
        place = Path(environment.nethack._vardir, "nhdat")
        assert not place.is_symlink()
        place.unlink()
        place.symlink_to(Path(minihack.base.HACKDIR, "nhdat"))
        before = place.resolve().read_bytes()
        environment.update(CORNER)
        assert not place.is_symlink() and Path(minihack.base.HACKDIR, "nhdat").read_bytes() == before
        # No temporary file is left.
        assert not [path for path in place.parent.iterdir() if path.name.startswith("nhdat.")]


def test_the_working_folder_is_gone() -> None:
    with splc.minihack.install():
        environment = make(YARD)
        shutil.rmtree(environment.nethack._vardir)
        with pytest.raises(FileNotFoundError, match="working folder is gone"):
            environment.update(CORNER)


def test_environments_that_draw_their_level_in_reset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import minihack.envs.boxohack

    folder = tmp_path / "unfiltered" / "train"
    folder.mkdir(parents=True)
    rows = "##########\n#   ##   #\n# $    . #\n#   ##   #\n### ## ###\n#  $   . #\n# @  # $ #\n# .  #   #\n#    # . #\n##########\n"
    (folder / "000.txt").write_text(f"; 0\n{rows}\n")
    monkeypatch.setattr(minihack.envs.boxohack, "LEVELS_PATH", str(tmp_path))
    with splc.minihack.install():
        environment = gymnasium.make("MiniHack-Boxoban-Unfiltered-v0").unwrapped
        environment._goal_pos_set = None
        assert "0" in shown(environment) or "`" in shown(environment)
        assert splc.minihack.preview(environment, seeds=[1]).maps[0].objects


# --- Unknown versions


def test_an_unknown_minihack_is_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(self: Any, des_file: str, more: int) -> None: ...

    with monkeypatch.context() as patch:
        patch.setattr(MiniHack, "_patch_nhdat", other)
        with pytest.warns(RuntimeWarning, match="does not support this MiniHack"), splc.minihack.install():
            assert MiniHack._patch_nhdat is other and not splc.minihack.is_installed()


def test_an_unknown_environment_is_left_to_minihack() -> None:
    calls = []

    class Odd(MiniHack):  # type: ignore[misc]
        def __init__(self) -> None:
            self.nethack = None

    with splc.minihack.install():
        splc.minihack._original = lambda self, des_file: calls.append(des_file)
        try:
            with pytest.warns(RuntimeWarning, match="MiniHack compiles the level itself"):
                Odd().update(YARD)
        finally:
            splc.minihack._original = ORIGINAL
    assert calls == [YARD]


def test_installing_twice_takes_two_to_undo() -> None:
    first = splc.minihack.install()
    with splc.minihack.install():
        assert splc.minihack.is_installed()
    assert splc.minihack.is_installed()
    first.uninstall()
    first.uninstall()
    splc.minihack.uninstall()


def test_warnings_name_the_calling_line() -> None:
    twice = YARD + YARD
    with splc.minihack.install():
        environment = make(YARD)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            environment.update(twice)
    (warning,) = [it for it in caught if issubclass(it.category, splc.CompileWarning)]
    assert "W0406" in str(warning.message)


# --- Previews


def test_a_preview_shows_several_seeds_and_the_statement_of_each_thing() -> None:
    with splc.minihack.install():
        environment = gymnasium.make("MiniHack-Skill-Custom-v0", des_file=YARD)
        shown_ = splc.minihack.preview(environment, seeds=range(3))
    assert len(shown_.maps) == 3
    assert "dust vortex" in str(shown_) and "<- line 17: MONSTER" in str(shown_)
    assert shown_._repr_html_().count("<svg") == 3
    assert splc.minihack.preview("closed_door.des").maps[0].doors
    assert str(splc.minihack.preview(YARD, [1])) == str(pickle.loads(pickle.dumps(splc.minihack.preview(YARD, [1]))))
    with pytest.raises(splc.CompileError):
        splc.minihack.preview(WRONG)
    with pytest.raises(ValueError, match="install"):
        splc.minihack.preview(make(YARD))
    assert numpy.array_equal(splc.minihack.preview(YARD, [5]).maps[0].chars, splc.load(YARD, "nethack-3.6.7-nle").run(5).chars)


# --- NetHack 5


def test_levels_of_minihack_become_scripts() -> None:
    shipped = sorted(Path(minihack.base.PATH_DAT_DIR).glob("*.des"))
    assert len(shipped) > 30
    templates = [path.name for path in shipped if any(it.severity == "error" for it in splc.check(path, TARGET))]
    assert templates == ["key_and_door_tmp.des"]
    for path in shipped:
        if path.name in templates:
            continue
        ported = splc.minihack.to_lua(path)
        for name, text in ported.files.items():
            assert not any(it.severity == "error" for it in splc.check(text, name=name)), path.name
    assert splc.minihack.to_lua("closed_door.des").files == splc.minihack.to_lua(shipped[0].with_name("closed_door.des")).files


def test_a_level_generator_becomes_a_script() -> None:
    generator = LevelGenerator(w=7, h=5)
    generator.add_monster("sewer rat", "r", place=(2, 2))
    generator.add_stair_down((5, 3))
    ported = splc.minihack.to_lua(generator)
    (name,) = ported.files
    assert name == "mylevel.lua" and "sewer rat" in ported.text
    des, lua = splc.load(generator.get_des(), splc.minihack.TARGET), splc.load(ported.text, name=name)
    for seed in (1, 2, 3):
        made = [[(it["x"], it["y"], it["what"]) for it in level.run(seed).monsters] for level in (des, lua)]
        assert made[0] == made[1]
    assert splc.dungeons.check(splc.minihack.dungeon_to_lua()) == []
    with pytest.raises(splc.CompileError):
        splc.minihack.to_lua(WRONG)


def test_an_unknown_minihack_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(minihack.base.MiniHack, "_patch_nhdat")
    monkeypatch.setattr(splc.minihack, "_said", set())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            splc.minihack.install().uninstall()
    assert [it.category for it in caught] == [RuntimeWarning] and "does not support this MiniHack" in str(caught[0].message)
