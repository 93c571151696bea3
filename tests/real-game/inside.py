"""The part of run.py that needs nle and minihack. Runs in their environment and prints JSON to the standard output.

    places                        prints the folders of the packages
    generate FOLDER COUNT SEED    writes COUNT des-files from MiniHack's LevelGenerator
    observe HACKDIR FILE          creates all of MiniHack's environments with the game in HACKDIR, and stores their
                                  observations
    compare FILE FILE             compares stored observations
    show HACKDIR FOLDER           loads levels of FOLDER in the game in HACKDIR, and prints the game's views for each of
                                  the files and seeds in wanted.json; empty if the hero is killed at once, null if the
                                  game crashes
    begin HACKDIR                 starts a game of HACKDIR, and prints its screen
    visit HACKDIR LEVEL UP        goes to LEVEL by name, and from level 2 up the stairs of the branch to the dungeon UP,
                                  and prints the screens there
    depths HACKDIR COUNT          starts COUNT games, and prints the depths of their levels and branches
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
# For the environments that need a level from the caller.
OWN_LEVEL = "soko1a.des"
BOXOBAN_FOLDERS = ["unfiltered/train", "medium/train", "hard"]
# Boxes ($), their targets (.), and the player (@), in the format of Boxoban.
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
# Keys of the game: the wizard's map of the level, a wish, and the answer to "--More--".
MAP_LEVEL, WISH, RETURN = "\x06", "\x17", "\r"
MOST_PAGES = 20
# Index of the hero's hit points in the bottom line.
HIT_POINTS = 10


def places():
    return {"hackdir": nle.nethack.nethack.HACKDIR, "minihack": minihack.base.PATH_DAT_DIR}


# --- Levels


def species():
    """Returns the names and class symbols of the game's monsters and objects."""
    creatures = (nethack.permonst(at) for at in range(nethack.NUMMONS))
    things = (nethack.objclass(at) for at in range(nethack.NUM_OBJECTS))
    monsters = [(kind.mname, nethack.class_sym.from_mlet(kind.mlet).sym) for kind in creatures]
    objects = [(nethack.OBJ_NAME(kind), nethack.class_sym.from_oc_class(kind.oc_class).sym) for kind in things]
    return monsters, [(name, symbol) for name, symbol in objects if name]


def one_level(draw, monsters, objects):
    """Returns a level with up to twenty things. Values that LevelGenerator does not check may be wrong."""
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
        # Possibly outside the map.
        return draw.randrange(80), draw.randrange(22)

    def corners():
        (x1, y1), (x2, y2) = inside(), inside()
        return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)

    def wrong(text):
        """Returns `text`, rarely with a missing letter."""
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
        # MiniHack supports lines, too, but writes them in a form that the compiler rejects.
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
    """Makes the game and MiniHack use the files of `hackdir`, including the level compiler."""
    nle.nethack.nethack.HACKDIR = hackdir
    minihack.base.HACKDIR = hackdir


def be_repeatable():
    """Makes environments with a random level choose the same one each time."""
    drawn = seeding.np_random
    seeding.np_random = lambda seed=None: drawn(1 if seed is None else seed)


def lay_out_warehouses(folder):
    """Writes warehouses for Boxoban to `folder`, and makes the environments use them instead of the maps that MiniHack
    downloads."""
    text = "".join(f"; {at}\n{rows}\n" for at, rows in enumerate(WAREHOUSES))
    for place in BOXOBAN_FOLDERS:
        (folder / place).mkdir(parents=True)
        (folder / place / "000.txt").write_text(text)
    minihack.envs.boxohack.LEVELS_PATH = str(folder)


def make_grid(name, width, height):
    """Creates an environment of minigrid for MiniHack, which passes a size and calls a method seed(). The current
    minigrid supports neither."""
    environment = gymnasium.make(name)
    environment.seed = lambda seed: environment.reset(seed=seed)
    grid = environment.unwrapped
    if grid.height > height:
        grid.width, grid.height = width, height
    return environment


def make(name):
    """Creates an environment. One without a level gets a level that ships with MiniHack."""
    own = {"des_file": OWN_LEVEL} if name.endswith("-Custom-v0") else {}
    # The wrappers of gymnasium pass arguments that not all environments accept.
    environment = gymnasium.make(name, **own).unwrapped
    if "Boxoban" in name:
        # MiniHack 1.0.2 sets this in reset(), but with nle 1.3.0 it is read before.
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
        # Some environments choose their level with these generators.
        random.seed(1)
        numpy.random.seed(1)
        try:
            environment = make(name)
        except (ImportError, AttributeError, TypeError, AssertionError) as error:
            # It needs other packages or files.
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
    """Installs `level` as the first level of the game of `environment`, as MiniHack does with a compiled des-file."""
    folder = pathlib.Path(environment.nethack._vardir)
    shutil.copy(level, folder / "lib" / "mylevel.lev")
    names = sorted(path.name for path in (folder / "lib").iterdir())
    subprocess.run([os.path.join(hackdir, "dlb"), "cf", "nhdat", *names], cwd=folder / "lib", check=True)
    (folder / "lib" / "nhdat").replace(folder / "nhdat")


def keys(game, text):
    """Types `text`. Returns the resulting observation."""
    observation = None
    for key in text:
        observation, _ = game.step(ord(key))
    return observation


def drink(environment, potion):
    """Makes the wizard wish for `potion` and drink it. Returns the observation before any time passes."""
    game = environment.nethack
    message = environment._observation_keys.index("message")
    # "g - a bubbly potion."
    slot = chr(keys(game, f"{WISH}{potion}\r")[message][0])
    if bytes(keys(game, "q")[message]).startswith(b"Drink from"):
        keys(game, "n")
    return keys(game, slot)


def mapped(environment):
    """Makes the wizard map the level with all traps. Returns the resulting observation."""
    game = environment.nethack
    observation = keys(game, MAP_LEVEL)
    for _ in range(MOST_PAGES):
        # True while the game waits for yes or no, for a line, or for the next page.
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
    """Describes glyph `number`: a symbol for terrain or a trap, an object type, a species."""
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
    """Returns the game's view of the compiled `level`: the glyph of each cell, and the place of the hero.

    Returns `None` if the hero is killed before the view is complete."""
    environment = gymnasium.make("MiniHack-Room-5x5-v0", wizard=True).unwrapped
    pack(environment, hackdir, level)
    environment.seed(*seed, False)
    environment.reset()
    stats = environment._observation_keys.index("blstats")
    # The first messages of the game may wait for a key, and would consume the next one.
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
        # In a separate process, because the game crashes or searches endlessly for a place on some levels.
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


# --- Installed levels

LEVEL_TELEPORT, TELEPORT, ESCAPE = "\x16", "\x14", "\x1b"
# A line of the wizard's menu of levels: "c -   oracle: 7", "j -   castle: 27 (tune BGFAF)", "knox: 19".
MENU_LINE = re.compile(r"^\s*(?:(?P<letter>[a-zA-Z]) - )?[ *]*(?P<name>\S.*?): (?P<depth>-?\d+)(?: \(tune \w+\))?\s*$")


def begin_game(hackdir, wizard, seed):
    """Starts a game with the data of `hackdir`, without MiniHack."""
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
    # A key without effect that takes no time.
    return screen(environment, keys(environment.nethack, ESCAPE))


def menu(environment):
    """Returns the lines of the wizard's menu of levels: letter or nothing, name, depth."""
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
    """Goes up the stairs. Returns the resulting observation."""
    observation = keys(environment.nethack, "<")
    while observation[environment._internal_index][1:4].any():
        observation = keys(environment.nethack, RETURN)
    return observation


def visit(hackdir, level, up):
    environment = begin_game(hackdir, True, SEEDS[0])
    lines = menu(environment)
    letter = next(line["letter"] for line in lines if line["name"] == level)
    # The menu is on its last page; once all pages were shown, it accepts the letters of all of them.
    keys(environment.nethack, ESCAPE + ESCAPE)
    depth = next(line["depth"] for line in lines if line["name"] == level)
    keys(environment.nethack, f"{LEVEL_TELEPORT}{depth}\r")
    there = screen(environment, mapped(environment))
    keys(environment.nethack, f"{LEVEL_TELEPORT}2\r")
    mapped(environment)
    stats = environment._observation_keys.index("blstats")
    tried = []
    # There are two staircases up; one of them leads back to level 1 of the same dungeon.
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
    # The game and its tools print to the standard output, too.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with contextlib.redirect_stdout(io.StringIO()):
        result = commands[command](*arguments)
    json.dump(result, answer)
    answer.close()


if __name__ == "__main__":
    main()
