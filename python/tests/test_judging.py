"""Tests of port, test and equiv."""

from __future__ import annotations

import pytest
from conftest import TARGET

import splc


def test_a_level_of_nethack_343_is_ported() -> None:
    text = "MAZE:\"yard\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\nMONSTER[50%]:'d',\"jackal\",random\n"
    ported = splc.port(text, to="unnethack", target="nethack343")
    assert "[50%]: MONSTER: ('d', \"jackal\"), random" in ported.text and "level yard" in ported.account
    assert splc.check(ported.text, "unnethack") == []
    with pytest.raises(splc.CompileError, match="cannot be ported to"):
        splc.port("MAZE", to="unnethack", target="nethack343")


def test_problems_of_levels_are_found() -> None:
    text = (
        "MAZE: \"cellar\", ' '\nGEOMETRY: center, center\nMAP\n-------\n|..|..|\n-------\nENDMAP\n"
        "STAIR: (1,1), up\nSTAIR: (4,1), down\n"
    )
    found = splc.test(text, TARGET, seeds=20)
    first = found[0]
    assert first.diagnostic.name == "unreachable-stairs" and (first.seeds, first.of, first.level) == (20, 20, "cellar")
    assert "|<.|>.|" in first.picture
    mended = text.replace("|..|..|", "|.....|")
    assert "unreachable-stairs" not in {it.diagnostic.name for it in splc.test(mended, TARGET, seeds=20)}
    with pytest.raises(splc.CompileError):
        splc.test(text + "TRAP: 7", TARGET)


def test_levels_are_compared() -> None:
    text = "MAZE: \"x\", ' '\nGEOMETRY: center, center\nMAP\n.....\nENDMAP\n"
    dice = splc.load(text + "IF [50%] {\nTRAP: \"pit\", (1,0)\n}\n", TARGET)
    same = splc.load(text + "IF [50%] {\n}\nELSE {\nTRAP: \"pit\", (1,0)\n}\n", TARGET)
    other = splc.load(text + "IF [40%] {\nTRAP: \"pit\", (1,0)\n}\n", TARGET)
    assert splc.equiv(dice, same).answer == "proven" and splc.equiv(dice, dice).answer == "proven"
    verdict = splc.equiv(dice, other)
    assert not verdict and verdict.answer == "different" and "pit" in str(verdict)
