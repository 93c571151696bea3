"""Tests of decompile, gen, dungeons, install, catalogs, archives, and the command itself."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from conftest import TARGET, repository

import splc
import splc.dungeons
import splc.maps

README = Path(__file__).parent.parent / "README.md"


def test_every_command_has_its_function() -> None:
    """The table of the README lists the commands of `splc --help`, each with a function that exists."""
    help_ = splc.command("--help").stdout
    commands = re.findall(r"^  ([a-z]+) ", help_.split("Commands:")[1].split("\n\n")[0], re.M)
    assert len(commands) > 20
    rows = dict(re.findall(r"^\| `splc ([a-z]+)` \| (.*?) \|$", README.read_text(), re.M))
    assert set(rows) == set(commands)
    for command, functions in rows.items():
        named = re.findall(r"`splc\.([a-z_.]+)", functions)
        assert named, command
        for name in named:
            found: object = splc
            for part in name.split("."):
                found = getattr(found, part)
            assert callable(found), name


def test_the_command_is_the_command_line(tmp_path: Path, wrong: str) -> None:
    version = splc.command("--version").stdout
    assert version == f"splc {splc.__version__}\n"
    assert subprocess.run([sys.executable, "-m", "splc", "--version"], capture_output=True, text=True).stdout == version
    (tmp_path / "yard.des").write_text(wrong)
    done = splc.command("check", "--target", TARGET, "yard.des", cwd=tmp_path)
    assert done.returncode == 1 and "write MONSTER:" in done.stderr
    assert splc.command("check", "nowhere.des").returncode == 2
    with pytest.raises(subprocess.CalledProcessError):
        splc.command("check", "nowhere.des", check=True)
    # A folder called like the package is not imported instead of it.
    (tmp_path / "splc").mkdir()
    (tmp_path / "splc" / "__init__.py").write_text("raise SystemExit(9)")
    assert splc.command("--version", cwd=tmp_path).stdout == version
    assert splc.command("check", "--dialect=unnethack", "-", input="LEVEL:\"x\"\nFOUNTIAN: random\n").returncode == 1


def test_a_level_file_is_decompiled(yard: str) -> None:
    (made,) = splc.compile(yard, TARGET).values()
    text = splc.decompile(made, TARGET, name="mylevel.lev")
    assert splc.compile(text, TARGET)["mylevel.lev"] == made
    with pytest.raises(splc.CompileError, match="cannot be decompiled"):
        splc.decompile(made[:100], TARGET, name="mylevel.lev")


def test_random_levels_compile() -> None:
    for game in ("unnethack", "nethack343", TARGET):
        text = splc.gen(game, seed=5, size=30)
        assert text == splc.gen(game, seed=5, size=30) != splc.gen(game, seed=6, size=30)
        assert not any(it.severity == "error" for it in splc.check(text, game))
        shown = splc.command("gen", "--seed=5", "--size=30", *(["--target", game] if "-" in game else ["--dialect", game]))
        assert shown.stdout == text


def test_dungeons(tmp_path: Path) -> None:
    text = 'DUNGEON: "The Dungeons of Doom" "D" (25,5)\nALIGNMENT: unaligned\nLEVEL: "castle" "none" @ (-1,0)\n'
    made = splc.dungeons.compile(text, "nethack343")
    (tmp_path / "dungeon.def").write_text(text)
    done = splc.command("dungeon", "compile", "--dialect", "nethack343", "-o", "out", "dungeon.def", cwd=tmp_path)
    assert done.returncode == 0 and (tmp_path / "out").read_bytes() == made, done.stderr
    assert splc.dungeons.compile(splc.dungeons.decompile(made), "nethack343") == made
    assert "castle" in splc.dungeons.show(made) and splc.dungeons.show(made, output="svg").startswith("<svg")
    assert splc.dungeons.compile(tmp_path / "dungeon.def", "nethack343") == made
    wrong = text.replace("ALIGNMENT: unaligned", "ALIGNMENT: sideways")
    assert [it.severity for it in splc.dungeons.check(wrong, "nethack343")].count("error") == 1
    with pytest.raises(splc.CompileError):
        splc.dungeons.compile(wrong, "nethack343")
    with pytest.raises(ValueError, match="unknown game"):
        splc.dungeons.check(text)


def test_levels_are_installed_and_uninstalled(tmp_path: Path, yard: str) -> None:
    minihack = pytest.importorskip("minihack.base")
    folder = Path(minihack.LIB_DIR)
    game = tmp_path / "game"
    game.mkdir()
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    files.update(splc.compile(yard, TARGET))
    (game / "nhdat").write_bytes(splc.archive(files))
    before = (game / "nhdat").read_bytes()
    level = tmp_path / "mylevel.des"
    level.write_text(yard.replace("GOLD: 10", "GOLD: 99"))
    assert "dry run" in splc.install(level, game, dry_run=True) and (game / "nhdat").read_bytes() == before
    assert "mylevel" in splc.install([level], game)
    changed = splc.read_archive((game / "nhdat").read_bytes())
    assert "GOLD: 99" in splc.decompile(changed["mylevel.lev"], name="mylevel.lev")
    assert "restored" in splc.uninstall(game) and (game / "nhdat").read_bytes() == before
    with pytest.raises(splc.CompileError):
        splc.uninstall(game)
    level.write_text(yard.replace("dust vortex", "dust vortx"))
    with pytest.raises(splc.CompileError, match="dust vortx") as caught:
        splc.install(level, game)
    assert caught.value.diagnostics[0].help is not None and caught.value.diagnostics[0].span is not None


CATALOG = """extends = "nethack-3.6.7"
name = "mygame-1.0"
title = "My Game 1.0"
"""


def test_catalogs(tmp_path: Path, yard: str) -> None:
    path = tmp_path / "mygame-1.0.toml"
    path.write_text(CATALOG)
    assert "mygame-1.0" in {it.name for it in splc.targets(catalog=path)}
    level = splc.load(yard, catalog=path)
    assert level.target == "mygame-1.0" and level.run(1).title == "My Game 1.0"
    again = pickle.dumps(level)
    path.unlink()
    assert pickle.loads(again).run(3) == level.run(3)
    path.write_text(CATALOG.replace("extends", "extend"))
    with pytest.raises(splc.CompileError, match="the catalog cannot be loaded"):
        splc.check(yard, catalog=[path])
    with pytest.raises(FileNotFoundError):
        splc.check(yard, catalog=tmp_path / "none.toml")
    with pytest.raises(splc.CompileError):
        splc.import_catalog(tmp_path, tmp_path / "other.toml")


def test_records_are_those_of_the_schema(yard: str) -> None:
    schema = json.loads(splc.command("schema", "run").stdout)
    assert set(splc.maps.LevelRecord.__annotations__) <= set(schema["properties"])
    made = splc.load(yard, TARGET).run(1)
    assert set(made.records()) == set(splc.maps.LevelRecord.__annotations__)
    for name, record in [("monsters", splc.maps.MonsterRecord), ("objects", splc.maps.ObjectRecord),
                         ("traps", splc.maps.TrapRecord), ("gold", splc.maps.GoldRecord)]:  # fmt: skip
        assert set(getattr(made, name)[0]) == set(record.__annotations__), name


def test_representations_are_short(yard: str, wrong: str) -> None:
    level = splc.load(yard, TARGET)
    (diagnostic,) = splc.check(wrong, TARGET, name="yard.des")
    for value in (level, level.run(1), level.sample(3), level.stats(3), level.stats(3).things, diagnostic,
                  splc.fix(wrong, TARGET), level.measure(3)):  # fmt: skip
        assert repr(value).startswith("<splc.") and len(repr(value)) < 160, repr(value)


def test_maps_are_arrays(yard: str) -> None:
    made = splc.load(yard, TARGET).run(1)
    assert numpy.array_equal(numpy.asarray(made), made.chars)
    assert numpy.asarray(made, dtype=float).dtype == float
    assert numpy.array_equal(numpy.from_dlpack(made), made.chars)


def test_samples_and_tables_become_arrow(yard: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    level = splc.load(yard, TARGET)
    sample = level.sample(10)
    table = sample.to_arrow()
    assert table["seed"].to_pylist() == list(range(1, 11)) and table.num_rows == 10
    # The squares are shared.
    squares = table["chars"].chunk(0).flatten()
    assert squares.buffers()[1].address == sample.chars.ctypes.data
    assert isinstance(level.stats(5).to_arrow(), pyarrow.Table)
    assert sample.to_pandas()["chars"][3].shape == (21, 80)


def test_seeds_are_those_of_the_command_line(yard: str, tmp_path: Path) -> None:
    (tmp_path / "yard.des").write_text(yard)
    level = splc.load(yard, TARGET)
    assert level.sample(3).seeds == (1, 2, 3) and level.sample(range(5, 7)).seeds == (5, 6)
    done = splc.command("run", "--target", TARGET, "--seeds", "3", "--json", "yard.des", cwd=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["seed"] for line in lines] == [1, 2, 3]
    assert [line["picture"] for line in lines] == [level.run(seed).records()["picture"] for seed in (1, 2, 3)]
    found = splc.test("MAZE: \"x\", ' '\nGEOMETRY: center, center\nMAP\n-------\n|..|..|\n-------\nENDMAP\n"
                      "STAIR: (1,1), up\nSTAIR: (4,1), down\n", TARGET)  # fmt: skip
    assert found[0].of == 200 and found[0].first_seed == 1


def test_differences_of_two_files(yard: str, tmp_path: Path) -> None:
    (tmp_path / "old.des").write_text(yard)
    (tmp_path / "new.des").write_text(yard.replace("GOLD: 10", "GOLD: 11"))
    text = splc.diff(tmp_path / "old.des", tmp_path / "new.des", TARGET, seeds=20)
    assert "- GOLD: 10, (2,2)" in text and "+ GOLD: 11, (2,2)" in text
    data = json.loads(splc.diff(tmp_path / "old.des", tmp_path / "new.des", TARGET, seeds=0, output="json"))
    assert data["schema"] == "splc-diff"


def test_themed_rooms(tmp_path: Path) -> None:
    script = repository() / "corpus" / "nethack5" / "themed.lua"
    assert "Treasury" in splc.themerooms(script, seeds=2)
    data = json.loads(splc.themerooms(script, seeds=range(1, 3), rooms="Treasury", output="json"))
    assert "Treasury" in json.dumps(data) and "Tower" not in json.dumps(data)
    assert splc.themerooms(script, seeds=2, output="svg").startswith("<svg")
    (tmp_path / "wrong.lua").write_text("themerooms = { {\n")
    with pytest.raises(splc.CompileError, match="splc themerooms failed"):
        splc.themerooms(tmp_path / "wrong.lua")
