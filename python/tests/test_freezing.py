"""Tests of frozen levels, judged by the game's own compiler where it is installed."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import numpy
import pytest
from conftest import TARGET, repository

import splc


def same(one: splc.Map, other: splc.Map) -> bool:
    """Compares the squares and the things, apart from their order, and from light within rock."""

    def things(made: splc.Map) -> list[str]:
        records = made.records()
        named = [
            (name, it.get("what"), it.get("name"), it.get("quantity"), it.get("curse"), it.get("amount"))
            + ((it["x"], it["y"]) if it.get("whereabouts", "floor") == "floor" else ())
            for name in ("monsters", "objects", "gold", "traps", "engravings", "doors", "stairs", "altars")
            for it in records[name]  # type: ignore[literal-required]
        ]
        return sorted(map(str, named))

    layers = all(numpy.array_equal(getattr(one, name), getattr(other, name)) for name in ("chars", "terrain", "colors"))
    return layers and things(one) == things(other) and one.flags == other.flags


def test_a_frozen_level_is_always_the_level(yard: str) -> None:
    level = splc.load(yard, TARGET)
    for seed in (1, 2, 7):
        frozen = level.freeze(seed)
        assert (frozen.lost, frozen.added, frozen.proven) == ((), (), True), frozen.text
        again = splc.load(frozen.text, TARGET)
        made = level.run(seed)
        assert all(same(again.run(other), made) for other in range(1, 6))
        assert level.run(seed).to_des().text == frozen.text
        assert pickle.loads(pickle.dumps(level.run(seed))).to_des() == frozen
    assert splc.load(level.freeze(1).text, TARGET).run(1).chars.tolist() != level.run(2).chars.tolist()


def test_the_games_own_compiler_makes_the_same_file(yard: str, tmp_path: Path) -> None:
    base = pytest.importorskip("minihack.base")
    compiler = Path(base.HACKDIR).parent / "nethackdir" / "lev_comp"
    found = [path for path in Path(base.HACKDIR).parent.rglob("lev_comp") if path.is_file()] or [compiler]
    if not found[0].exists():
        pytest.skip("this nle has no lev_comp")
    text = splc.load(yard, TARGET).freeze(7).text
    (tmp_path / "frozen.des").write_text(text)
    subprocess.run([found[0], "frozen.des"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "mylevel.lev").read_bytes() == splc.compile(text, TARGET)["mylevel.lev"]


def test_the_levels_of_the_corpus_are_frozen_or_say_what_is_lost() -> None:
    proven = 0
    for path in sorted((repository() / "corpus" / "nethack36").glob("*.des")):
        for level in splc.load_all(path, "nethack-3.6.7").values():
            frozen = level.freeze(3)
            proven += frozen.proven
            assert not frozen.proven or not (frozen.lost or frozen.added)
            if frozen.proven:
                made = splc.load(frozen.text, "nethack-3.6.7").run(9)
                assert made.text == level.run(3).text, f"{path.name}: {level.name}"
    assert proven >= 30


def test_the_levels_of_minihack_are_frozen() -> None:
    base = pytest.importorskip("minihack.base")
    proven = 0
    for path in sorted(Path(base.PATH_DAT_DIR).glob("*.des")):
        if path.name == "key_and_door_tmp.des":
            # A template.
            continue
        for level in splc.load_all(path, TARGET).values():
            frozen = level.freeze(7)
            # Not proven: a des-file cannot set the trap of a door, a web brings its spider, and monsters on one square
            # make room for each other.
            assert frozen.proven or frozen.lost or frozen.added, path.name
            proven += frozen.proven
            if frozen.proven:
                made = splc.load(frozen.text, TARGET)
                assert all(same(made.run(other), level.run(7)) for other in (1, 2, 3)), path.name
    assert proven >= 28


def test_what_cannot_be_pinned_is_named() -> None:
    # A corridor's door can have a trap, which no des-file can set.
    rooms = "".join(f'ROOM: "ordinary", lit, ({at}), (center,center), (3,3) {{ }}\n' for at in ("1,1", "5,5"))
    level = splc.load(f'LEVEL: "doors"\n{rooms}RANDOM_CORRIDORS\n', "unnethack-6.0.4")
    frozen = level.freeze(104, splc.Settings(depth=20))
    assert not frozen.proven and any("door, trapped" in fact for fact in frozen.lost)
    assert level.freeze(1, splc.Settings(depth=20)).proven
    assert level.run(104, splc.Settings(depth=20)).to_des() == frozen
    old = splc.load("MAZE:\"old\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\n", "nethack-3.4.3")
    with pytest.raises(ValueError, match="cannot be frozen"):
        old.freeze(1)


def test_scripts_are_frozen_as_scripts() -> None:
    script = splc.load(
        'des.map([[\n-----\n|...|\n|...|\n-----\n]])\ndes.monster("newt")\ndes.trap("web")\n'
        'des.object({ id = "chest", contents = function() des.object("apple") end })\n',
        language="lua",
    )
    for seed in (1, 2, 3):
        frozen = script.freeze(seed)
        assert (frozen.lost, frozen.added, frozen.proven) == ((), (), True), frozen.text
        again = splc.load(frozen.text, language="lua")
        assert all(again.run(other).text == script.run(seed).text for other in range(1, 6))
