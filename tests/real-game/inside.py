"""The part of run.py that needs nle and minihack: runs in their environment, prints JSON on the standard output.

    places                        where the packages have their files
    generate FOLDER COUNT SEED    writes COUNT des-files that MiniHack's LevelGenerator makes
    observe HACKDIR FILE          makes all of MiniHack's environments with the game in HACKDIR, notes what they show
    compare FILE FILE             compares what was noted
    show HACKDIR FOLDER           loads the levels of FOLDER in the game in HACKDIR, tells what the game shows
"""

import contextlib
import io
import json
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys

import gymnasium
import minihack
import minihack.base
import nle.nethack.nethack
import numpy
from minihack import LevelGenerator
from minihack.level_generator import MAP_CHARS, MAZE_FLAGS, TRAP_NAMES
from nle import nethack

SEEDS = [(1, 2), (30, 40), (500, 600)]
# Keys of the game: the wizard's map of the level; the answer to "--More--".
MAP_LEVEL, RETURN = 6, 13
MOST_PAGES = 20


def places():
    return {"hackdir": nle.nethack.nethack.HACKDIR, "minihack": minihack.base.PATH_DAT_DIR}


# --- Levels


def species():
    """Names and class symbols of the game's monsters and objects."""
    creatures = (nethack.permonst(at) for at in range(nethack.NUMMONS))
    things = (nethack.objclass(at) for at in range(nethack.NUM_OBJECTS))
    monsters = [(kind.mname, nethack.class_sym.from_mlet(kind.mlet).sym) for kind in creatures]
    objects = [(nethack.OBJ_NAME(kind), nethack.class_sym.from_oc_class(kind.oc_class).sym) for kind in things]
    return monsters, [(name, symbol) for name, symbol in objects if name]


def one_level(draw, monsters, objects):
    """A level with up to twenty things in it; what LevelGenerator does not look at may be wrong."""
    width, height = draw.randint(1, 76), draw.randint(1, 21)
    generator = LevelGenerator(
        w=width,
        h=height,
        fill=draw.choice(MAP_CHARS),
        lit=draw.random() < 0.5,
        flags=tuple(draw.sample(MAZE_FLAGS, draw.randint(1, 4))),
        solidfill=draw.choice(MAP_CHARS),
    )

    def inside():
        return draw.randrange(width), draw.randrange(height)

    def place():
        kind = draw.random()
        if kind < 0.4:
            return inside()
        if kind < 0.9:
            return None
        # Perhaps beside the map.
        return draw.randrange(80), draw.randrange(22)

    def corners():
        (x1, y1), (x2, y2) = inside(), inside()
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)

    def wrong(text):
        """`text`, seldom with a letter too few."""
        return text if draw.random() < 0.97 else text[1:]

    def monster():
        name, symbol = draw.choice(monsters)
        symbol = draw.choice([None, symbol, symbol, symbol]) if draw.random() < 0.97 else draw.choice("aZ@;")
        words = draw.choice([(), ("hostile",), ("peaceful", "asleep"), ("awake",)])
        generator.add_monster(wrong(name), symbol, place(), args=words)

    def thing():
        name, symbol = draw.choice(objects)
        symbol = symbol if draw.random() < 0.97 else draw.choice("%(!")
        state = draw.choice([None, "blessed", "cursed", "random"])
        generator.add_object(wrong(name), symbol, place(), cursestate=state)

    def shape():
        # MiniHack offers lines, too, but writes them in a form that the compiler refuses.
        return draw.choice(["rect", "fillrect"]) if draw.random() < 0.95 else "line"

    def altar():
        alignment = draw.choice(["noalign", "law", "random"])
        generator.add_altar(place(), alignment, draw.choice(["shrine", "altar"]))

    def area():
        name = draw.choice(["$area", "$other"])
        generator.set_area_variable(name, shape(), *corners())
        generator.add_object_area(name)
        generator.add_monster(place=f"rndcoord({name})")

    actions = [
        monster,
        thing,
        area,
        lambda: generator.add_object(place=place()),
        lambda: generator.add_monster(place=place()),
        lambda: generator.add_terrain(inside(), draw.choice(MAP_CHARS), in_footer=draw.random() < 0.5),
        lambda: generator.fill_terrain(shape(), draw.choice(MAP_CHARS), *corners()),
        lambda: generator.add_goal_pos(place()),
        lambda: generator.set_start_pos(inside()),
        lambda: generator.set_start_rect(corners()[:2], corners()[2:]),
        lambda: generator.add_door(draw.choice(["nodoor", "locked", "closed", "open", "random"]), place()),
        altar,
        lambda: generator.add_sink(place()),
        lambda: generator.add_trap(draw.choice(TRAP_NAMES), place()),
        lambda: generator.add_fountain(place()),
        lambda: generator.add_gold(draw.randint(1, 1000), place()),
        lambda: generator.add_boulder(place()),
        lambda: generator.wallify(),
        lambda: generator.add_mazewalk(inside(), draw.choice(["north", "south", "east", "west"])),
        lambda: generator.add_line(draw.choice(["LOOP [2d3] {", "IF [30%] {"]) + f"\nMONSTER: random, {inside()}\n}}"),
        lambda: generator.add_line("$places = { (1,1), (2,2), (3,3) }\nSHUFFLE: $places\nGOLD: 5, $places[0]"),
    ]
    for _ in range(draw.randint(1, 20)):
        draw.choice(actions)()
    return generator.get_des()


def generate(folder, count, seed):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    draw = random.Random(int(seed))
    monsters, objects = species()
    for at in range(int(count)):
        (folder / f"{at:04}.des").write_text(one_level(draw, monsters, objects))
    return {"monsters": len(monsters), "objects": len(objects)}


# --- Environments


def use(hackdir):
    """Lets the game and MiniHack take their files, the level compiler among them, from `hackdir`."""
    nle.nethack.nethack.HACKDIR = hackdir
    minihack.base.HACKDIR = hackdir


def observe(hackdir, file):
    use(hackdir)
    noted, not_made = {}, []
    for name in sorted(name for name in gymnasium.envs.registry if name.startswith("MiniHack-")):
        # Some environments draw their level from these.
        random.seed(1)
        numpy.random.seed(1)
        try:
            environment = gymnasium.make(name)
        except (ImportError, AttributeError, TypeError) as error:
            # They need minigrid, maps that are downloaded, or a des-file.
            not_made.append(f"{name}: {error}")
            continue
        noted[name] = []
        for core, display in SEEDS:
            environment.unwrapped.seed(core, display, False)
            observation, _ = environment.reset()
            noted[name].append({key: numpy.array(value) for key, value in observation.items()})
        environment.close()
    with open(file, "wb") as out:
        pickle.dump(noted, out)
    return {"not_made": not_made}


def compare(first, second):
    with open(first, "rb") as one, open(second, "rb") as other:
        one, other = pickle.load(one), pickle.load(other)
    resets = arrays = 0
    different = [f"{name}: made with one compiler only" for name in sorted(one.keys() ^ other.keys())]
    for name in sorted(one.keys() & other.keys()):
        wrong = None
        for seed, (left, right) in enumerate(zip(one[name], other[name], strict=True)):
            resets += 1
            arrays += len(left)
            if left.keys() != right.keys():
                wrong = wrong or f"{name}, seed {seed}: other keys"
            for key in left.keys() & right.keys():
                if not numpy.array_equal(left[key], right[key]):
                    wrong = wrong or f"{name}, seed {seed}: other {key}"
        different += [wrong] if wrong else []
    return {"environments": len(one), "resets": resets, "arrays": arrays, "different": different}


# --- The corpus


def pack(environment, hackdir, level):
    """Gives `level` to the game of `environment` as its first one, as MiniHack does it with a compiled des-file."""
    folder = pathlib.Path(environment.nethack._vardir)
    shutil.copy(level, folder / "lib" / "mylevel.lev")
    names = sorted(path.name for path in (folder / "lib").iterdir())
    subprocess.run([os.path.join(hackdir, "dlb"), "cf", "nhdat", *names], cwd=folder / "lib", check=True)
    (folder / "lib" / "nhdat").replace(folder / "nhdat")


def symbols(environment):
    """What the game shows in each cell: the number of its symbol for terrain, None for things and creatures."""
    game = environment.nethack
    glyphs = environment._observation_keys.index("glyphs")
    observation, _ = game.step(MAP_LEVEL)
    for _ in range(MOST_PAGES):
        # Whether the game waits: for yes or no, for a line, for the next page.
        if not observation[environment._internal_index][1:4].any():
            break
        observation, _ = game.step(RETURN)
    shown = []
    for row in observation[glyphs]:
        cells = (int(glyph) for glyph in row)
        shown.append([nethack.glyph_to_cmap(glyph) if nethack.glyph_is_cmap(glyph) else None for glyph in cells])
    return shown


def show(hackdir, folder):
    use(hackdir)
    folder = pathlib.Path(folder)
    shown = {}
    for name in json.loads((folder / "expected.json").read_text()):
        environment = gymnasium.make("MiniHack-Room-5x5-v0", wizard=True).unwrapped
        pack(environment, hackdir, folder / f"{name}.lev")
        environment.seed(1, 2, False)
        environment.reset()
        shown[name] = symbols(environment)
        environment.close()
    return shown


def main():
    command, *arguments = sys.argv[1:]
    commands = {"places": places, "generate": generate, "observe": observe, "compare": compare, "show": show}
    # The game and its tools print, too.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with contextlib.redirect_stdout(io.StringIO()):
        result = commands[command](*arguments)
    json.dump(result, answer)
    answer.close()


if __name__ == "__main__":
    main()
