"""Tests of calls with wrong arguments: the error names the argument, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import TARGET

import splc
import splc.extras


def test_a_single_name_is_not_a_list_of_letters(yard: str, tmp_path: Path) -> None:
    level = splc.load(yard, TARGET)
    one: Any = "aple"
    assert list(level.sample(2, layers="chars").layers) == ["chars"]
    assert (level.measure(5, through="doors").goal == level.measure(5, through=["doors"]).goal).all()
    assert splc.sample(level, tmp_path / "set", 2, layers="light").layers == ("light",)
    assert splc.check(yard, TARGET, allow="lit-by-chance") == splc.check(yard, TARGET)
    with pytest.raises(ValueError, match='unknown lint "no-such-lint"'):
        splc.check(yard, TARGET, deny="no-such-lint")
    with pytest.raises(ValueError, match='has no object "aple"; did you mean "apple"?'):
        level.run(1, splc.Settings(hero=splc.Hero(carries=one)))


def test_wrong_arguments_are_named(yard: str, tmp_path: Path) -> None:
    level = splc.load(yard, TARGET)
    sampled = level.sample(1, layers=["chars"])
    settings: Any = {"depth": 3}
    errors: Any = "ignore"
    count: Any = 1.5
    text: Any = "5"
    sources: Any = [yard]
    other: Any = yard
    kept = splc.sample(level, tmp_path / "set", 1, layers=["chars"])
    wrong: list[tuple[type[Exception], str, Callable[[], Any]]] = [
        (TypeError, "settings must be splc.Settings, not dict", lambda: level.run(1, settings)),
        (ValueError, "a number of seeds cannot be negative: -1", lambda: level.sample(-1)),
        (TypeError, "cannot be interpreted as an integer", lambda: level.sample(count)),
        (TypeError, "cannot be interpreted as an integer", lambda: splc.test(yard, TARGET, seeds=text)),
        (ValueError, "seeds must be at least 1", lambda: splc.sample(level, tmp_path, 0)),
        (ValueError, "a piece must have at least one level", lambda: splc.sample(level, tmp_path, 5, piece=0)),
        (ValueError, "errors must be 'raise' or 'keep'", lambda: level.sample(1, errors=errors)),
        (LookupError, "the set has no layer 'light', only chars", lambda: kept.array("light")),
        (LookupError, "'light' was not sampled, only chars; name it in layers=", lambda: sampled.light),
        (KeyError, "no diagnostic has the code or name 'E9999'", lambda: splc.explain("E9999")),
        (ValueError, 'unknown target "nethack-3.6.8"; did you mean', lambda: splc.load(yard, "nethack-3.6.8")),
        (FileNotFoundError, "nowhere.des", lambda: splc.load(tmp_path / "nowhere.des")),
        (TypeError, "a source must be text, bytes or a path, not list", lambda: splc.check(sources)),
        (ValueError, "start must be a column from 1 to 79", lambda: level.measure(1, start=(80, 5))),
        (ValueError, "threads must be at least 1, not 0", lambda: level.stats(1, threads=0)),
        (TypeError, "compile_many takes several sources", lambda: splc.compile_many(yard, TARGET)),
        (TypeError, "equiv compares levels", lambda: splc.equiv(level, other)),
        (ValueError, "tile must be between 8 and 256", lambda: level.run(1).to_image(tile=1)),
        (splc.CompileError, "nowhere", lambda: splc.diff(tmp_path / "nowhere.des", tmp_path / "nowhere2.des")),
    ]
    for kind, message, call in wrong:
        with pytest.raises(kind) as caught:
            call()
        assert message in str(caught.value), caught.value


def test_a_missing_package_is_named_with_its_extra() -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        splc.extras.need("no_such_package", "arrays")
    assert "pip install 'splc[arrays]'" in str(caught.value) and caught.value.name == "no_such_package"
