"""The part of run.py that needs nle and minihack: runs in their environment, prints JSON on the standard output.

    places                        where the packages have their files
    generate FOLDER COUNT SEED    writes COUNT des-files that MiniHack's LevelGenerator makes
    observe HACKDIR FILE          makes all of MiniHack's environments with the game in HACKDIR, notes what they show
    compare FILE FILE             compares what was noted
    show HACKDIR FOLDER           loads levels of FOLDER in the game in HACKDIR, tells what the game shows: of each
                                  of the files and seeds in wanted.json; nothing where the hero is killed at once,
                                  null where the game crashes
    begin HACKDIR                 begins a game of HACKDIR, tells what it shows
    visit HACKDIR LEVEL UP        goes to LEVEL by its name, and from level 2 up the stairs at which the branch to the
                                  dungeon of the name UP begins, tells what the game shows there
    depths HACKDIR COUNT          begins COUNT games, tells where each has its levels and branches
"""

import contextlib
import io
import json
import os
import pathlib
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import traceback
import types

import gymnasium
import minihack
import minihack.base
import minihack.envs.boxohack
import minihack.envs.minigrid
import nle.nethack.nethack
import numpy
from gymnasium.utils import seeding
from minihack import LevelGenerator
from minihack.level_generator import MAP_CHARS, MAZE_FLAGS, TRAP_NAMES
from nle import nethack
from nle.env import base

SEEDS = [(1, 2), (30, 40), (500, 600)]
# For the environments that want a level from whoever makes them.
OWN_LEVEL = "soko1a.des"
BOXOBAN_FOLDERS = ["unfiltered/train", "medium/train", "hard"]
# Boxes ($), where they go (.), and who moves them (@), in the form of Boxoban.
WAREHOUSES = [
    """\
##########
#   ##   #
# $    . #
#   ##   #
### ## ###
#  $   . #
# @  # $ #
# .  #   #
#    # . #
##########
""",
    """\
##########
##########
###   ####
### $ ####
# .$ @  ##
# . $ . ##
####  $ ##
####  . ##
##########
##########
""",
]
# Keys of the game: the wizard's map of the level, and a wish; the answer to "--More--".
MAP_LEVEL, WISH, RETURN = "\x06", "\x17", "\r"
MOST_PAGES = 20
# Where the hero's hit points are in the bottom line.
HIT_POINTS = 10


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


def be_repeatable():
    """Lets environments that draw their level draw the same one each time."""
    drawn = seeding.np_random
    seeding.np_random = lambda seed=None: drawn(1 if seed is None else seed)


def lay_out_warehouses(folder):
    """Writes warehouses for Boxoban into `folder`, where the environments are to look for the maps that MiniHack
    would have people download."""
    text = "".join(f"; {at}\n{rows}\n" for at, rows in enumerate(WAREHOUSES))
    for place in BOXOBAN_FOLDERS:
        (folder / place).mkdir(parents=True)
        (folder / place / "000.txt").write_text(text)
    minihack.envs.boxohack.LEVELS_PATH = str(folder)


def make_grid(name, width, height):
    """Makes an environment of minigrid for MiniHack, which gives it a size and asks it for a method seed(): that of
    now takes no size and has no such method."""
    environment = gymnasium.make(name)
    environment.seed = lambda seed: environment.reset(seed=seed)
    grid = environment.unwrapped
    if grid.height > height:
        grid.width, grid.height = width, height
    return environment


def make(name):
    """Makes an environment; one that has no level of its own gets one that MiniHack ships."""
    own = {"des_file": OWN_LEVEL} if name.endswith("-Custom-v0") else {}
    # What gymnasium wraps around it hands on arguments that not all of them take.
    environment = gymnasium.make(name, **own).unwrapped
    if "Boxoban" in name:
        # MiniHack 1.0.2 sets it in reset(), in which nle 1.3.0 has it looked at before.
        environment._goal_pos_set = None
    return environment


def observe(hackdir, file):
    use(hackdir)
    be_repeatable()
    folder = pathlib.Path(f"{file}.boxoban")
    lay_out_warehouses(folder)
    minihack.envs.minigrid.gym = types.SimpleNamespace(make=make_grid)
    noted, not_made = {}, []
    for name in sorted(name for name in gymnasium.envs.registry if name.startswith("MiniHack-")):
        # Some environments draw their level from these.
        random.seed(1)
        numpy.random.seed(1)
        try:
            environment = make(name)
        except (ImportError, AttributeError, TypeError, AssertionError) as error:
            # It needs further packages or files, or others than there are.
            where = traceback.extract_tb(error.__traceback__)[-1]
            not_made.append([name, str(error) or f"{type(error).__name__} in {where.name}: {where.line}"])
            continue
        noted[name] = []
        for core, display in SEEDS:
            environment.seed(core, display, False)
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


def keys(game, text):
    """Types `text`; returns what the game shows then."""
    observation = None
    for key in text:
        observation, _ = game.step(ord(key))
    return observation


def drink(environment, potion):
    """Lets the wizard have `potion` and drink it; returns what the game shows before any time passes."""
    game = environment.nethack
    message = environment._observation_keys.index("message")
    # "g - a bubbly potion."
    slot = chr(keys(game, f"{WISH}{potion}\r")[message][0])
    if bytes(keys(game, "q")[message]).startswith(b"Drink from"):
        keys(game, "n")
    return keys(game, slot)


def mapped(environment):
    """Lets the wizard map the level, with all traps; returns what the game shows then."""
    game = environment.nethack
    observation = keys(game, MAP_LEVEL)
    for _ in range(MOST_PAGES):
        # Whether the game waits: for yes or no, for a line, for the next page.
        if not observation[environment._internal_index][1:4].any():
            break
        observation = keys(game, RETURN)
    return observation


VIEWS = {
    "map": mapped,
    "objects": lambda environment: drink(environment, "blessed potion of object detection"),
    "creatures": lambda environment: drink(environment, "uncursed potion of monster detection"),
}


def glyph(number):
    """What the game shows by glyph `number`: a symbol for terrain or a trap, a kind of object, a species."""
    if nethack.glyph_is_cmap(number):
        return {"symbol": nethack.glyph_to_cmap(number)}
    if nethack.glyph_is_body(number):
        return {"corpse": nethack.permonst(number - nethack.GLYPH_BODY_OFF).mname, "object": None, "class": "%"}
    if nethack.glyph_is_statue(number):
        return {"statue": nethack.permonst(number - nethack.GLYPH_STATUE_OFF).mname, "object": None, "class": "`"}
    if nethack.glyph_is_object(number):
        kind = nethack.glyph_to_obj(number)
        group = nethack.class_sym.from_oc_class(nethack.objclass(kind).oc_class)
        return {"object": kind, "class": group.sym, "name": nethack.OBJ_NAME(nethack.objclass(kind))}
    if nethack.glyph_is_monster(number):
        species = nethack.permonst(nethack.glyph_to_mon(number))
        kind = nethack.glyph_to_mon(number)
        return {"creature": kind, "class": nethack.class_sym.from_mlet(species.mlet).sym, "name": species.mname}
    return {"other": number}


def view(hackdir, level, look, seed):
    """What the game shows of the compiled `level`: the glyph of each cell, and where the hero is.

    `None` if somebody kills the hero before anything can be looked at."""
    environment = gymnasium.make("MiniHack-Room-5x5-v0", wizard=True).unwrapped
    pack(environment, hackdir, level)
    environment.seed(*seed, False)
    environment.reset()
    stats = environment._observation_keys.index("blstats")
    # What the game says first may wait for a key, which would be taken for that.
    lives = keys(environment.nethack, ESCAPE)[stats][HIT_POINTS] > 0
    if not lives:
        return None
    observation = look(environment)
    rows = observation[environment._observation_keys.index("glyphs")].tolist()
    x, y = observation[stats][:2].tolist()
    environment.close()
    return {"rows": rows, "hero": [x + 1, y]}


# Seconds; the slowest level takes one or two.
LONGEST_LOOK = 60


def show(hackdir, folder):
    use(hackdir)
    folder = pathlib.Path(folder)
    shown, numbers = [], set()
    for path, seed in json.loads((folder / "wanted.json").read_text()):
        # In a process of its own, as there are levels at which the game crashes, or looks for a place for ever.
        child = os.fork()
        if child == 0:
            signal.alarm(LONGEST_LOOK)
            views = {name: view(hackdir, folder / path, look, seed) for name, look in VIEWS.items()}
            (folder / "shown.json").write_text(json.dumps(views))
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            shown.append(None)
            continue
        views = json.loads((folder / "shown.json").read_text())
        if None in views.values():
            shown.append({})
            continue
        numbers.update(number for each in views.values() for row in each["rows"] for number in row)
        shown.append(views)
    return {"shown": shown, "glyphs": {number: glyph(number) for number in sorted(numbers)}}


# --- Levels that are installed

LEVEL_TELEPORT, TELEPORT, ESCAPE = "\x16", "\x14", "\x1b"
# A line of the wizard's menu of levels: "c -   oracle: 7", "j -   castle: 27 (tune BGFAF)", "knox: 19".
MENU_LINE = re.compile(r"^\s*(?:(?P<letter>[a-zA-Z]) - )?[ *]*(?P<name>\S.*?): (?P<depth>-?\d+)(?: \(tune \w+\))?\s*$")


def begin_game(hackdir, wizard, seed):
    """A game with the data of `hackdir`, which MiniHack has no part in, and what it shows first."""
    environment = base.NLE(wizard=wizard, spawn_monsters=False, actions=tuple(nethack.ACTIONS))
    data = pathlib.Path(environment.nethack._vardir) / "nhdat"
    data.unlink()
    data.symlink_to(pathlib.Path(hackdir) / "nhdat")
    environment.seed(*seed, False)
    environment.reset()
    return environment


def screen(environment, observation):
    rows = observation[environment._observation_keys.index("tty_chars")]
    return [bytes(row).decode("latin-1").rstrip() for row in rows]


def begin(hackdir):
    environment = begin_game(hackdir, False, SEEDS[0])
    # A key that does nothing, and takes no time.
    return screen(environment, keys(environment.nethack, ESCAPE))


def menu(environment):
    """The lines of the wizard's menu of levels: letter or nothing, name, depth."""
    observation, lines = keys(environment.nethack, f"{LEVEL_TELEPORT}?\r"), []
    for _ in range(MOST_PAGES):
        rows = screen(environment, observation)
        lines.extend(found.groupdict() for found in map(MENU_LINE.match, rows) if found)
        page = next((row for row in rows if re.match(r"^\s*\((\d+) of (\d+)\)$", row)), None)
        if page is None or len(set(re.findall(r"\d+", page))) == 1:
            break
        observation = keys(environment.nethack, ">")
    return lines


def go_up(environment):
    """Goes up the stairs; returns what the game shows then."""
    observation = keys(environment.nethack, "<")
    while observation[environment._internal_index][1:4].any():
        observation = keys(environment.nethack, RETURN)
    return observation


def visit(hackdir, level, up):
    environment = begin_game(hackdir, True, SEEDS[0])
    lines = menu(environment)
    letter = next(line["letter"] for line in lines if line["name"] == level)
    # The menu shows its last page; letters of all pages count there once it has been gone through from the first.
    keys(environment.nethack, ESCAPE + ESCAPE)
    depth = next(line["depth"] for line in lines if line["name"] == level)
    keys(environment.nethack, f"{LEVEL_TELEPORT}{depth}\r")
    there = screen(environment, mapped(environment))
    keys(environment.nethack, f"{LEVEL_TELEPORT}2\r")
    mapped(environment)
    stats = environment._observation_keys.index("blstats")
    tried = []
    # There are two staircases up, of which one leads back to level 1 of the same dungeon.
    for staircase in ("<", "<<"):
        keys(environment.nethack, f"{TELEPORT}{staircase}.")
        observation = go_up(environment)
        number, depth = observation[stats][[23, 12]].tolist()
        tried.append([number, depth])
        if number != 0:
            return {"letter": letter, "level": there, "above": screen(environment, mapped(environment)), "tried": tried}
        keys(environment.nethack, f"{LEVEL_TELEPORT}2\r")
    return {"letter": letter, "level": there, "above": [], "tried": tried}


def depths(hackdir, count):
    games = []
    for at in range(int(count)):
        environment = begin_game(hackdir, True, (at + 1, 7 * at + 3))
        games.append({line["name"]: int(line["depth"]) for line in menu(environment)})
        environment.close()
    return games


def main():
    command, *arguments = sys.argv[1:]
    commands = {"places": places, "generate": generate, "observe": observe, "compare": compare, "show": show}
    commands |= {"begin": begin, "visit": visit, "depths": depths}
    # The game and its tools print, too.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with contextlib.redirect_stdout(io.StringIO()):
        result = commands[command](*arguments)
    json.dump(result, answer)
    answer.close()


if __name__ == "__main__":
    main()
