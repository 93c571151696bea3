"""Damaged des-files: levels with one to three random edits that resemble human mistakes.

Words, numbers and whole lines are removed, duplicated, swapped or copied from elsewhere, and single characters are
replaced. The same seed produces the same files.
"""

import random
import re

# A word, a number, a string, a quoted character, blanks, or any other character.
WORD = re.compile(rb"[A-Za-z_]+|\d+|\"[^\"\n]*\"|'.'|\s+|.", re.DOTALL)
LEVEL = re.compile(rb"(?m)^(?=(?:LEVEL|MAZE)\s*:)")
NUMBERS = [0, 1, -1, 20, 21, 79, 80, 127, 128, 255, 256, 32767, 2147483647]
CHARACTERS = b"\"'(){}[]:,$#\n\t aZ09-+%&|<>=!.;@"
# Longer levels are truncated: the first mistake would hide the rest.
MOST_BYTES = 6000
# Messages of splc for input that only splc rejects, as documented in docs/reference/differences.md.
DELIBERATE = re.compile(
    "ENDMAP|the file ends inside a MAP| inside a map|MAP without GEOMETRY|does not begin a map"
    "|GEOMETRY must come before its MAP|MAP must b|MAP takes no colon"
    "|a level name cannot contain|the number is too large|found '[^\0-\x7f]'"
)


def damaged(sources, count, seed):
    """Yields ``count`` damaged levels of these des-files, as bytes."""
    dice = random.Random(seed)
    texts = [source.read_bytes() for source in sources]
    lines = [line for text in texts for line in text.split(b"\n")]
    words = [word for text in texts for word in WORD.findall(text) if not word.isspace()]
    levels = [level[:MOST_BYTES] for text in texts for level in LEVEL.split(text) if level.strip()]
    for _ in range(count):
        text = dice.choice(levels)
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            text = edit_line(text, lines, dice) if dice.random() < 0.3 else edit_word(text, words, dice)
        # A comment at the end of the file is another deliberate difference.
        yield text if text.endswith(b"\n") else text + b"\n"


def edit_line(text, lines, dice):
    mine = text.split(b"\n")
    at = dice.randrange(len(mine))
    edit = dice.randrange(4)
    if edit == 0:
        del mine[at]
    elif edit == 1:
        mine[at] = dice.choice(lines)
    else:
        mine.insert(at, dice.choice(lines if edit == 2 else mine))
    return b"\n".join(mine)


def edit_word(text, words, dice):
    mine = WORD.findall(text)
    places = [at for at, word in enumerate(mine) if not word.isspace()]
    if not places:
        return text
    at, other = dice.choice(places), dice.choice(places)
    edit = dice.randrange(6)
    if edit == 0:
        del mine[at]
    elif edit == 1:
        mine[at] = dice.choice(words)
    elif edit == 2:
        mine.insert(at, dice.choice(words))
    elif edit == 3:
        mine[at], mine[other] = mine[other], mine[at]
    elif edit == 4 and mine[at].isdigit():
        mine[at] = str(dice.choice(NUMBERS)).encode()
    else:
        word = bytearray(mine[at])
        word[dice.randrange(len(word))] = dice.choice(CHARACTERS)
        mine[at] = bytes(word)
    return b"".join(mine)


def is_deliberate(output):
    """Returns true if splc rejects the file for a deliberate difference."""
    return DELIBERATE.search(output.decode("utf-8", "replace")) is not None


def first_error_line(output):
    """Returns the line of the first error in the output of either compiler."""
    for line in output.decode("latin-1").splitlines():
        found = re.match(r"x\.des: line (\d+)", line)
        if found and "WARNING" not in line:
            return int(found[1])
    return None
