"""Tests of measures, judged by scipy."""

from __future__ import annotations

import numpy
import pytest
from conftest import TARGET

import splc

TEXT = """
MAZE: "mylevel", ' '
GEOMETRY: center, center
MAP
-------------
|.....|.....|
|..}..|.....|
|.}}}.+.....|
|..}..|.....|
|.....S.....|
-------------
ENDMAP
STAIR: (1,1), up
STAIR: (11,5), down
DOOR: closed, (6,3)
OBJECT: ('`', "boulder"), (8,2)
OBJECT: ('%', "apple"), random
MONSTER: ('r', "sewer rat"), random
MONSTER: ('r', "sewer rat"), random
$here = { (9,1), (9,2), (9,3) }
SHUFFLE: $here
TERRAIN: $here[0], '-'
"""


def shortest(open_: numpy.ndarray, straight: numpy.ndarray, start: tuple[int, int]) -> numpy.ndarray:
    """Returns the distances from `start`, as row and column, computed by scipy."""
    sparse = pytest.importorskip("scipy.sparse")
    graph = pytest.importorskip("scipy.sparse.csgraph")
    rows, columns = open_.shape
    links: list[tuple[int, int]] = []
    for y in range(rows):
        for x in range(columns):
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    to_y, to_x = y + dy, x + dx
                    if (dy, dx) == (0, 0) or not (0 <= to_y < rows and 1 <= to_x < columns) or x < 1:
                        continue
                    bent = dy != 0 and dx != 0 and (straight[y, x] or straight[to_y, to_x])
                    if open_[y, x] and open_[to_y, to_x] and not bent:
                        links.append((y * columns + x, to_y * columns + to_x))
    size = rows * columns
    matrix = sparse.coo_matrix((numpy.ones(len(links)), tuple(numpy.array(links).T)), shape=(size, size)).tocsr()
    found = graph.dijkstra(matrix, indices=start[0] * columns + start[1], unweighted=True)
    return numpy.where(numpy.isinf(found), -1, found).astype(numpy.int16).reshape(rows, columns)


@pytest.mark.parametrize("through", [(), ("doors",), ("doors", "secret", "boulders"), ("doors", "water"), ("secret",)])
def test_distances_are_those_of_scipy(through: tuple[str, ...]) -> None:
    level = splc.load(TEXT, TARGET)
    seeds = range(1, 13)
    measures = level.measure(seeds, through=through, distances=True)
    assert measures.distances is not None
    names = numpy.array(level.terrain_names)
    for at, seed in enumerate(seeds):
        made = level.run(seed)
        terrain = names[made.terrain]
        open_ = numpy.isin(terrain, ["room", "stairs", "corr", "door"])
        straight = numpy.zeros_like(open_)
        for door in made.doors:
            passable = "secret" in through if door["secret"] else "doors" in through or "closed" not in door["state"]
            open_[door["y"], door["x"]] = passable
            straight[door["y"], door["x"]] = door["secret"] or "no door" not in door["state"]
        if "water" in through:
            open_ |= numpy.isin(terrain, ["pool", "moat", "water"])
        standing = numpy.isin(terrain, ["room", "stairs", "corr", "door"])
        if "boulders" not in through:
            for thing in made.objects:
                if thing["what"] == "boulder":
                    open_[thing["y"], thing["x"]] = False
        up, down = (next((it["y"], it["x"]) for it in made.stairs if it["what"] == way) for way in ("up", "down"))
        expected = shortest(open_, straight, up)
        assert numpy.array_equal(measures.distances[at], expected), seed
        assert measures.goal[at] == expected[down]
        assert measures.reachable[at] == (expected >= 0).sum() and measures.farthest[at] == expected.max()
        near = [expected[it["y"], it["x"]] for it in made.monsters]
        assert measures.monster[at] == min((d for d in near if d >= 0), default=-1)
        places = {(it["y"], it["x"]) for it in [*made.monsters, *made.objects]}
        assert measures.things[at] == len(places)
        assert measures.apart[at] == sum(expected[place] < 0 for place in places)
        assert measures.open[at] == standing.sum()
        rows, columns = numpy.nonzero(terrain != "stone")
        box = terrain[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
        assert measures.area[at] == box.size
        rock = ~numpy.isin(box, ["room", "stairs", "corr", "door", "sdoor", "scorr", "pool", "moat", "water"])
        assert measures.walls[at] == rock.sum()
        beside = sum(numpy.roll(open_, shift, axis) for shift, axis in [(1, 0), (-1, 0), (1, 1), (-1, 1)])
        assert measures.dead_ends[at] == ((beside == 1) & standing & (terrain != "door")).sum()


def test_measures_do_not_depend_on_threads_and_can_be_taken_elsewhere() -> None:
    level = splc.load(TEXT, TARGET)
    one, many = level.measure(500, threads=1), level.measure(500, threads=7)
    assert one.table == many.table and len(one.table["seed"]) == 500
    assert numpy.array_equal(level.measure([9, 3, 9]).monster, one.monster[[8, 2, 8]])
    assert list(one.to_pandas()["walls"]) == one.walls.tolist()
    assert (level.measure(5, goal=(1, 1)).goal == -1).all()
    start = next((it["x"], it["y"]) for it in level.run(1).stairs if it["what"] == "down")
    assert (level.measure(5, start=start).goal == 0).all()
    with pytest.raises(ValueError, match="unknown obstacle"):
        level.measure(1, through=["walls"])
    assert len(level.measure(0)) == 0


def test_a_failed_level_has_no_measures() -> None:
    level = splc.load('LEVEL: "x"\nIF [50%] {\n$a = { 1, 2 }\n}\nGOLD: $a[0], (1,1)\n', TARGET)
    with pytest.raises(splc.RunError):
        level.measure(20)
    kept = level.measure(20, errors="keep", distances=True)
    assert kept.faults and kept.distances is not None
    for at in kept.faults:
        assert kept.open[at] == -1 and (kept.distances[at] == -1).all()


def test_difficulties_are_those_of_the_game() -> None:
    # `mons[].difficulty` of NetHack 3.6.7.
    things = "".join(f'MONSTER: "{name}", (1,{y})\n' for y, name in enumerate(("sewer rat", "troll"), 1))
    measures = splc.load(TEXT.replace("MONSTER: ('r', \"sewer rat\"), random\n", "") + things, TARGET).measure(3)
    assert measures.difficulty.tolist() == [1 + 9] * 3 and measures.hardest.tolist() == [9] * 3
    of_class = splc.load(TEXT.replace("('r', \"sewer rat\")", "'r'"), TARGET).measure(2)
    assert of_class.difficulty.tolist() == of_class.hardest.tolist() == [0, 0]


def test_difficulties_are_those_of_nle() -> None:
    nethack = pytest.importorskip("nle.nethack")
    species = [nethack.permonst(number) for number in range(nethack.NUMMONS)]
    names = [it.mname for it in species]
    wanted = {it.mname: it.difficulty for it in species if names.count(it.mname) == 1}
    found = {}
    for name in wanted:
        text = f'MAZE: "m", \' \'\nGEOMETRY: center, center\nMAP\n...\nENDMAP\nMONSTER: "{name}", (1,0)\n'
        found[name] = int(splc.load(text, TARGET).measure([1], threads=1).hardest[0])
    assert found == wanted and len(found) > 370
