"""Tests of NetHack 5's Lua levels: everything that des-files can do."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path

import pytest
from conftest import repository

import splc

YARD = """-- A yard.
des.level_init({ style = "solidfill", fg = " " });
des.level_flags("mazelevel", "noflip");
des.map([[
-----------
|.........|
|.........|
-----------
]]);
des.stair("up", 1,1);
des.stair("down", 8,2);
des.monster("jackal");
des.object({ id = "apple" });
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "good.lua"
    path.write_text(YARD)
    return path


def test_a_right_script_has_no_diagnostics(path: Path) -> None:
    assert splc.check(path) == splc.check(str(path)) == splc.check(YARD) == splc.check(YARD, language="lua") == []
    assert splc.check(YARD.encode(), language="lua") == splc.check(YARD, name="yard.lua") == []
    (wrong,) = splc.check(YARD.replace("apple", "aple"))
    assert wrong.severity == "error" and wrong.help is not None and "apple" in wrong.help
    for script in sorted((repository() / "corpus" / "nethack5").glob("*.lua")):
        if script.name == "themed.lua":
            continue  # A room in it has a mistake, which `splc themerooms` finds.
        assert not any(it.severity == "error" for it in splc.check(script)), script
    with pytest.raises(FileNotFoundError):
        splc.check("bad.lua")
    with pytest.raises(ValueError, match="the language of .*good.lua"):
        splc.check(path, language="des")
    with pytest.raises(ValueError, match="unknown language"):
        splc.check(YARD, language="lau")  # type: ignore[arg-type]


def test_a_script_runs(path: Path) -> None:
    level = splc.load(path)
    assert (level.name, level.target) == ("good", "nethack-5.0.0")
    made = level.run(1)
    assert "|<" in made.text and [it["what"] for it in made.monsters] == ["jackal"]
    assert made.monsters[0]["statement"] is not None and made.monsters[0]["statement"].line == 12
    sample = level.sample(20)
    assert all((sample.chars[at] == level.run(at + 1).chars).all() for at in range(0, 20, 7))
    assert dict(zip(level.stats(20).things["name"], level.stats(20).things["total"]))["jackal"] == 20
    assert splc.test(path, seeds=20) == []
    assert pickle.loads(pickle.dumps(level)).run(4) == level.run(4)


def test_scripts_are_compared_and_judged() -> None:
    assert splc.equiv(splc.load(YARD), splc.load(YARD, name="other.lua")).answer == "proven"
    assert splc.equiv(splc.load(YARD), splc.load(YARD.replace("apple", "orange")), seeds=50).answer == "different"
    found = splc.test(YARD.replace("|.........|", "|...|.....|"), seeds=5)
    assert "unreachable-stairs" in {it.diagnostic.name for it in found}


def test_a_port_to_scripts_is_that_of_the_command_line(tmp_path: Path) -> None:
    source = repository() / "corpus" / "nethack36" / "minefill.des"
    if not source.exists():
        source = sorted((repository() / "corpus" / "nethack36").glob("*.des"))[0]
    ported = splc.port(source, to="nethack-5.0.0", target="nethack36")
    done = splc.command("port", "--dialect", "nethack36", "--to", "nethack-5.0.0", "-o", f"{tmp_path}/", source)
    assert done.returncode == 0, done.stderr
    assert ported.files == {path.name: path.read_text() for path in tmp_path.iterdir()}
    for name, text in ported.files.items():
        assert splc.load(text, name=name).run(1).text
    both = 'MAZE:"a",\' \'\nGEOMETRY:center,center\nMAP\n..\nENDMAP\n' * 2
    two = splc.port(both.replace('"a"', '"b"', 1), to="nethack-5.0.0", target="nethack36")
    assert list(two.files) == ["b.lua", "a.lua"]
    with pytest.raises(ValueError, match="2 files"):
        two.text


def test_a_script_is_not_compiled() -> None:
    with pytest.raises(splc.CompileError, match="E0304"):
        splc.compile(YARD)


def test_the_command_line_agrees(path: Path) -> None:
    shown: subprocess.CompletedProcess[str] = splc.command("run", "--seed", "3", "--json", path)
    made = splc.load(path).run(3).records()
    told = json.loads(shown.stdout)
    assert {key: told[key] for key in made} == made
