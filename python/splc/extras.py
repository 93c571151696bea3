"""Packages that only parts of splc need."""

from __future__ import annotations

import importlib.util
import sys


def need(package: str, extra: str) -> None:
    """Raises :class:`ModuleNotFoundError` with the command that installs a package, if it is missing."""
    if package not in sys.modules and importlib.util.find_spec(package) is None:
        message = f"this needs {package}, which is not installed: pip install 'splc[{extra}]'"
        raise ModuleNotFoundError(message, name=package)
