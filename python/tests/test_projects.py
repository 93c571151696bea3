"""Tests of project files: Python does what the command line does."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import TARGET

import splc
from splc.projects import find

PROJECT = """
target = "nethack-3.6.7-nle"

[lints]
ragged-map = "deny"

[[files]]
paths = ["old/*.des"]
lints = { ragged-map = "allow" }

[test]
seeds = "3..7"

[run]
depth = 11
hero = "Anna/Valkyrie/dwarf/lawful"
carry = ["apple"]
time = "2024-01-01"
"""

RAGGED = """MAZE: "ragged", ' '
GEOMETRY: center, center
MAP
.....
...
.....
ENDMAP
STAIR: (0,0), up
STAIR: (4,2), down
"""


WHOLE = RAGGED.replace("\n...\n", "\n.....\n")
APART = WHOLE.replace(".....", "..|..")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "splc.toml").write_text(PROJECT)
    for folder in ("dat", "old"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ragged.des").write_text(RAGGED)
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def on_command_line(*arguments: str) -> list[tuple[str, str]]:
    done = splc.command(*arguments, "--message-format=json")
    rows = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return sorted((row["code"], row["severity"]) for row in rows)


def codes(diagnostics: list[splc.Diagnostic]) -> list[tuple[str, str]]:
    return sorted((it.code, it.severity) for it in diagnostics)


@pytest.mark.parametrize("more", [{}, {"isolated": True}, {"config": "other.toml"}, {"target": "nethack-3.6.7"}])
@pytest.mark.parametrize("file", ["dat/ragged.des", "old/ragged.des"])
def test_check_is_that_of_the_command_line(tree: Path, file: str, more: dict[str, object]) -> None:
    (tree / "other.toml").write_text('dialect = "nethack36"\n[lints]\nragged-map = "allow"\n')
    options = [f"--{key}" if value is True else f"--{key}={value}" for key, value in more.items()]
    found = codes(splc.check(Path(file), **more))  # type: ignore[arg-type]
    assert found == on_command_line("check", *options, file)
    if not more:
        # The entry for `old/*.des` allows what the project denies.
        assert any(severity == "error" for _, severity in found) == file.startswith("dat")
    assert codes(splc.check(str(tree / file), **more)) == found  # type: ignore[arg-type]


def test_the_game_around_a_level_is_that_of_the_project(tree: Path) -> None:
    level = splc.load(Path("old/ragged.des"))
    assert level.target == TARGET
    hero = splc.Hero("Anna", "Valkyrie", "dwarf", "lawful", ("apple",))
    assert level._usual == splc.Settings(11, 1704067200, hero)
    assert pickle.loads(pickle.dumps(level))._usual == level._usual
    assert splc.load(Path("old/ragged.des"), TARGET, isolated=True)._usual == splc.Settings()
    # Text belongs to no project, unless it is named.
    assert splc.load(RAGGED, TARGET)._usual == splc.Settings()
    assert splc.load(WHOLE, config="splc.toml").target == TARGET


def test_tests_run_with_the_seeds_of_the_project(tree: Path) -> None:
    (tree / "old" / "apart.des").write_text(APART)
    findings = splc.test(Path("old/apart.des"))
    assert findings and {finding.of for finding in findings} == {5}
    assert {finding.of for finding in splc.test(Path("old/apart.des"), seeds=9)} == {9}
    assert {finding.of for finding in splc.test(Path("old/apart.des"), TARGET, isolated=True)} == {200}


def test_mistakes_of_the_project_are_errors(tree: Path) -> None:
    (tree / "splc.toml").write_text("tagret = 1\n")
    with pytest.raises(splc.CompileError, match="tagret"):
        splc.check(Path("dat/ragged.des"))
    assert splc.check(Path("old/ragged.des"), TARGET, isolated=True) is not None
    (tree / "splc.toml").unlink()
    nested = tree / "dat" / "splc.toml"
    nested.write_text(f'target = "{TARGET}"\n')
    with pytest.raises(ValueError, match="different projects"):
        splc.compile_many([Path("dat/ragged.des"), Path("old/ragged.des")])
    found = find([os.path.join("dat", "ragged.des")], None)
    assert found is not None and os.path.samefile(found.file, nested)


def test_a_dungeon_of_its_own_is_used(tree: Path, yard: str) -> None:
    (tree / "dungeon.def").write_text('DUNGEON: "The Dungeons of Doom" "D" (9,0)\nLEVEL: "other" "none" @ (2,0)\n')
    (tree / "old" / "yard.des").write_text(yard)
    options = {"target": TARGET, "dungeon": tree / "dungeon.def"}
    found = codes(splc.check(Path("old/yard.des"), **options))  # type: ignore[arg-type]
    assert found == on_command_line("check", f"--target={TARGET}", "--dungeon-file=dungeon.def", "old/yard.des")
    level = splc.load(Path("old/yard.des"), **options)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(level)).run(2) == level.run(2)
