"""Runs the examples of README.md in order. They must print the output shown."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_of_the_readme_run() -> None:
    pytest.importorskip("minihack")
    text = README.read_text()
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) >= 5
    names: dict[str, Any] = {}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for example in examples:
            exec(compile(example, str(README), "exec"), names)
    for promised in re.findall(r"```text\n(.*?)```", text, re.DOTALL):
        assert promised.strip() in out.getvalue()
    assert "<- line" in out.getvalue()


def test_the_recipes_run() -> None:
    pytest.importorskip("minihack")
    pytest.importorskip("pyarrow")
    pytest.importorskip("distributed")
    page = README.parent.parent / "docs" / "how-to" / "python-recipes.md"
    names: dict[str, Any] = {}
    examples = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(examples) == 7
    for example in examples:
        # TorchRL is large, so it is only installed for `SPLC_TORCH=1 python/check`.
        if "torchrl" in example and importlib.util.find_spec("torchrl") is None:
            continue
        exec(compile(example, str(page), "exec"), names)


def test_the_licences_match_the_project() -> None:
    for name in ("LICENSE-MIT", "LICENSE-NGPL"):
        assert README.with_name(name).read_bytes() == (README.parent.parent / name).read_bytes()
