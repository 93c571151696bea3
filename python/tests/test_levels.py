"""Tests of runs: maps, samples, statistics."""

from __future__ import annotations

import copy
import json
import pickle
import re
import threading
import time
import xml.etree.ElementTree

import numpy
import pytest
from conftest import TARGET

import splc
import splc.levels


def test_a_seed_gives_one_level(yard: str) -> None:
    level = splc.load(yard, TARGET)
    assert level.run(1) == level.run(1) != level.run(2)
    assert (level.name, level.target) == ("mylevel", TARGET)
    assert len({level.run(seed).text for seed in range(50)}) > 5
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="a seed must be between 0"):
            level.run(seed)


def test_arrays_records_and_text_agree(yard: str) -> None:
    level = splc.load(yard, TARGET)
    made = level.run(1)
    for array in (made.chars, made.colors, made.light, made.terrain, made.kinds):
        assert array.shape == (21, 80) and array.dtype == numpy.uint8
    lines = ["".join(map(chr, row)).rstrip() for row in made.chars[:, 1:]]
    assert "\n".join(lines) + "\n" == made.text == str(made)
    assert re.sub(r"\x1b\[[0-9;]*m", "", made.ansi) == made.text
    document = made.records()
    assert ["".join(map(chr, row)) for row in made.chars[:, 1:]] == document["picture"]
    assert ["".join(map(str, row)) for row in made.light[:, 1:]] == document["light"]
    (vortex,) = made.monsters
    assert chr(made.chars[vortex["y"], vortex["x"]]) == "v" and made.kinds[vortex["y"], vortex["x"]] == 3
    (stairs,) = made.stairs
    assert level.terrain_names[made.terrain[stairs["y"], stairs["x"]]] == "stairs"
    assert {"stone", "room", "moat", "stairs"} < {level.terrain_names[number] for number in numpy.unique(made.terrain)}
    assert made.flags and made.objects and made.gold and made.traps
    # Each array is a copy for the caller.
    made.chars[:] = 0
    assert made.chars.any()


def test_each_thing_has_its_statement(yard: str) -> None:
    made = splc.load(yard, TARGET, name="yard.des").run(1)
    lines = {number: line for number, line in enumerate(yard.split("\n"), 1)}
    behind = {entry.what: entry.statements[0] for entry in made.legend if entry.places}
    for what, word in [("stairs down", "STAIR"), ("bear", "TRAP"), ("apple", "OBJECT"), ("10 gold", "GOLD")]:
        statement = behind[what]
        assert statement is not None and statement.file == "yard.des", what
        assert lines[statement.line] == statement.text and statement.text.startswith(word)
    assert made.monsters[0]["statement"].line == 17


def test_a_sample_has_the_levels_of_its_seeds(yard: str) -> None:
    level = splc.load(yard, TARGET)
    seeds = [5, 3, 2**64 - 1, *range(1000, 1300)]
    sample = level.sample(seeds, layers=splc.levels.LAYERS)
    assert len(sample) == len(seeds) and sample.seeds == tuple(seeds)
    for at in (0, 1, 2, 3, 150, len(seeds) - 1):
        made = level.run(seeds[at])
        for name in splc.levels.LAYERS:
            assert numpy.array_equal(sample.layers[name][at], getattr(made, name)), (name, at)
    for threads in (1, 3, 2**31):
        again = level.sample(seeds, threads)
        assert numpy.array_equal(again.chars, sample.chars) and numpy.array_equal(again.terrain, sample.terrain)
    assert level.sample(2).chars.shape == (2, 21, 80) and level.sample(0).chars.shape == (0, 21, 80)
    assert list(level.sample(3, layers=["light"]).layers) == ["light"]
    with pytest.raises(ValueError, match="unknown layer"):
        level.sample(1, layers=["smell"])


def test_a_maze_of_minihack_is_the_same_alone_and_in_a_sample() -> None:
    """A single run observes each of its 200,000 draws; a sample skips draws without effect."""
    rows = "\n".join(["-" * 13, *["|" + " " * 11 + "|"] * 11, "-" * 13])
    text = f"MAZE:\"mylevel\",' '\nGEOMETRY:center,center\nMAP\n{rows}\nENDMAP\nMAZEWALK:(5,5),east\nSTAIR:random,up\n"
    level = splc.load(text, TARGET)
    sample = level.sample(range(20), layers=splc.levels.LAYERS)
    for seed in range(20):
        made = level.run(seed)
        assert made.draws > 20_000
        for name in splc.levels.LAYERS:
            assert numpy.array_equal(sample.layers[name][seed], getattr(made, name))


def test_the_interpreter_continues_while_levels_run(yard: str) -> None:
    level, ticks, over = splc.load(yard, TARGET), [0], threading.Event()

    def tick() -> None:
        while not over.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    before = ticks[0]
    begun = time.perf_counter()
    level.sample(100_000, threads=1)
    took = time.perf_counter() - begun
    over.set()
    ticker.join()
    # If the lock were held, the other thread would have waited all the time.
    assert ticks[0] - before > took / 0.001 / 50


def test_statistics_match_the_levels(yard: str) -> None:
    level = splc.load(yard, TARGET)
    stats = level.stats(500)
    assert stats.levels == 500 and stats.draws is not None
    counted = {row["name"]: row for row in stats.things.rows()}
    assert counted["dust vortex"]["total"] == 500 and counted["dust vortex"]["mean"] == 1.0
    made = [level.run(seed) for seed in range(1, 501)]
    assert counted["bear"]["total"] == sum(len(one.traps) for one in made)
    assert stats.draws[0] == min(one.draws for one in made) and stats.draws[1] == max(one.draws for one in made)
    assert level.stats([7, 1, 9, 8]).things == level.stats([1, 7, 8, 9], threads=1).things
    assert level.stats([7, 1, 9, 8], threads=2**31).things == level.stats([1, 7, 8, 9]).things
    assert "dust vortex" in stats._repr_html_()
    assert list(stats.to_pandas()["name"]) == stats.things["name"]
    assert level.stats(0).draws is None


def test_a_failing_level_is_an_error_with_its_seed() -> None:
    level = splc.load('LEVEL: "x"\nIF [50%] {\n$a = { 1, 2 }\n}\nGOLD: $a[0], (1,1)\n', TARGET)
    fails = [seed for seed in range(20) if not _can_be_made(level, seed)]
    assert 2 < len(fails) < 18
    with pytest.raises(splc.RunError, match="the variable [$]a has no value here") as caught:
        level.run(fails[0])
    assert caught.value.seed == fails[0] and caught.value.statement == "level.des:5"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(splc.RunError, match=f"seed {fails[0]}:"):
        level.sample(range(20))
    kept = level.sample(range(20), errors="keep")
    assert sorted(kept.faults) == fails
    assert [at for at in range(20) if not kept.chars[at].any()] == fails
    faults = level.stats(range(20)).faults
    assert (faults["count"], faults["first_seed"]) == ([len(fails)], [fails[0]])


def _can_be_made(level: splc.Level, seed: int) -> bool:
    try:
        level.run(seed)
    except splc.RunError:
        return False
    return True


def test_settings_affect_the_level() -> None:
    level = splc.load('MAZE: "x", \'.\'\nNOMAP\nALTAR: (5,5), coaligned, altar\n', TARGET)
    lawful = splc.Settings(hero=splc.Hero(role="Valkyrie", race="dwarf", alignment="lawful"))
    assert level.run(1, lawful) != level.run(1)
    with pytest.raises(ValueError, match="has no object"):
        level.run(1, splc.Settings(hero=splc.Hero(carries=("no such thing",))))
    with pytest.raises(ValueError, match="has no role .*did you mean \"Valkyrie\""):
        level.run(1, splc.Settings(hero=splc.Hero(role="Walkyrie")))
    with pytest.raises(ValueError, match="between 1 and 127, not 0"):
        level.run(1, splc.Settings(depth=0))


def test_pictures(yard: str) -> None:
    made = splc.load(yard, TARGET).run(1)
    svg = xml.etree.ElementTree.fromstring(made.svg())
    titles = [title.text or "" for title in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert any("dust vortex" in title and "MONSTER" in title for title in titles)
    assert made.svg() in made._repr_html_()
    image = made.to_image()
    assert image.size == (79 * 16, 21 * 16) and len(image.getcolors(100_000)) > 5
    assert made.to_image(tile=8).size == (79 * 8, 21 * 8)
    hostile = splc.load(yard + "ENGRAVING: (3,3), burn, \"<b>bold</b>\"\n", TARGET, name="<i>.des").run(1)
    assert "&lt;b&gt;" in hostile._repr_html_() and "<b>" not in hostile._repr_html_()


def test_several_levels_in_a_file(yard: str) -> None:
    both = yard + yard.replace('"mylevel"', '"other"')
    assert list(splc.load_all(both, TARGET)) == ["mylevel", "other"]
    assert splc.load(both, TARGET, level="other").name == "other"
    for level in (None, "third"):
        with pytest.raises(LookupError, match="mylevel, other"):
            splc.load(both, TARGET, level=level)


def test_levels_and_maps_can_be_pickled_and_copied(yard: str) -> None:
    level = splc.load(yard, TARGET)
    made = level.run(4)
    for again in (pickle.loads(pickle.dumps(level)), copy.deepcopy(level)):
        assert again.run(4) == made
    assert pickle.loads(pickle.dumps(made)) == made
    assert pickle.loads(pickle.dumps(level.sample(3))).chars.tolist() == level.sample(3).chars.tolist()
    assert pickle.loads(pickle.dumps(splc.check("x", TARGET))) == splc.check("x", TARGET)
    assert json.loads(made.document)["flags"] == made.flags
