"""The compiler for NetHack special levels, in Python.

>>> import splc
>>> level = splc.load('''
... MAZE: "cellar", ' '
... GEOMETRY: center, center
... MAP
... -----
... |...|
... -----
... ENDMAP
... STAIR: (2,1), down
... ''', target="nethack-3.6.7-nle")
>>> print(level.run(seed=1).text.strip())
-----
                                    |.>.|
                                    -----

:mod:`splc.minihack` installs the compiler in MiniHack.
"""

from .compiling import (
    Fixed,
    Ported,
    Source,
    Target,
    archive,
    check,
    compile,
    compile_many,
    explain,
    fix,
    format,
    port,
    read_archive,
    targets,
)
from .diagnostics import CompileError, CompileWarning, Diagnostic, Edit, Label, RunError, Span
from .judging import Finding, Verdict, equiv, test
from .levels import Hero, Level, Sample, Settings, Stats, Table, load, load_all
from .maps import Arrival, Map

__all__ = [
    "Arrival",
    "CompileError",
    "CompileWarning",
    "Diagnostic",
    "Edit",
    "Finding",
    "Fixed",
    "Hero",
    "Label",
    "Level",
    "Map",
    "Ported",
    "RunError",
    "Sample",
    "Settings",
    "Source",
    "Span",
    "Stats",
    "Table",
    "Target",
    "Verdict",
    "archive",
    "check",
    "compile",
    "compile_many",
    "equiv",
    "explain",
    "fix",
    "format",
    "load",
    "load_all",
    "port",
    "read_archive",
    "targets",
    "test",
]
