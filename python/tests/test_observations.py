"""MiniHack's observations are the same with splc and without. Tests a sample; observations.py compares everything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("minihack")


def test_a_sample_of_minihack_looks_the_same() -> None:
    script = Path(__file__).with_name("observations.py")
    command = [sys.executable, "-W", "ignore", str(script), "--environments", "25", "--levels", "40"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stderr
    result = json.loads(lines[-1])
    assert result["environments"]["different"] == [] and result["levels"]["different"] == []
    assert result["environments"]["environments"] >= 20 and result["environments"]["resets"] >= 60
    assert result["levels"]["levels"] == 40 and result["levels"]["refused_by_both"] >= 1
    assert done.returncode == 0
