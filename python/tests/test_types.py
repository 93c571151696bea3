"""Tests of the program that type checkers read."""

from __future__ import annotations

import re
from pathlib import Path

import typed

import splc


def test_the_typed_program_runs_and_uses_every_public_name() -> None:
    text = Path(typed.__file__).read_text()
    assert [name for name in splc.__all__ if not re.search(rf"splc\.{name}\b", text)] == []
    typed.main()
