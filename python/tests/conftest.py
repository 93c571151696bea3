"""Shared fixtures: a small level, with and without a mistake."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# The game needs this variable.
os.environ.setdefault("USER", "splc")

YARD = """
MAZE: "mylevel", ' '
FLAGS: premapped
GEOMETRY: center, center
MAP
-----------
|.........|
|.........|
|...}}}...|
|.........|
-----------
ENDMAP
REGION: (0,0,10,5), lit, "ordinary"
$place = { (1,1), (9,1), (1,4) }
SHUFFLE: $place
BRANCH: (5,2,5,2), (0,0,0,0)
MONSTER: ('v', "dust vortex"), (8,4)
OBJECT: ('%', "apple"), $place[1]
GOLD: 10, (2,2)
TRAP: "bear", random
STAIR: $place[0], down
"""

# The second mistake of docs/how-to/minihack.md: the form of NetHack 3.4.3.
WRONG = YARD.replace("('v', \"dust vortex\")", "'v', \"dust vortex\"")

TARGET = "nethack-3.6.7-nle"


@pytest.fixture
def yard() -> str:
    return YARD


@pytest.fixture
def wrong() -> str:
    return WRONG


def repository() -> Path:
    """Returns the project's folder."""
    return Path(__file__).resolve().parent.parent.parent
