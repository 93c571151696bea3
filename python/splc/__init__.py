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

from . import dungeons
from ._splc import version as _version
from .commands import command, diff, import_catalog, install, themerooms, uninstall
from .compiling import (
    Fixed,
    Ported,
    Target,
    archive,
    check,
    compile,
    compile_many,
    decompile,
    explain,
    fix,
    format,
    gen,
    port,
    read_archive,
    targets,
)
from .diagnostics import CompileError, CompileWarning, Diagnostic, Edit, Label, RunError, Span
from .freezing import Frozen
from .judging import Finding, Verdict, equiv, test
from .levels import Level, Measures, Sample, Stats, Table, load, load_all
from .maps import Arrival, Map
from .sets import LevelSet, open_set, sample
from .settings import Hero, Settings
from .sources import Catalog, Language, Source

__version__ = _version()

__all__ = [
    "Arrival",
    "Catalog",
    "CompileError",
    "CompileWarning",
    "Diagnostic",
    "Edit",
    "Finding",
    "Fixed",
    "Frozen",
    "Hero",
    "Label",
    "Language",
    "Level",
    "LevelSet",
    "Map",
    "Measures",
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
    "__version__",
    "archive",
    "check",
    "command",
    "compile",
    "compile_many",
    "decompile",
    "diff",
    "dungeons",
    "equiv",
    "explain",
    "fix",
    "format",
    "gen",
    "import_catalog",
    "install",
    "load",
    "load_all",
    "open_set",
    "port",
    "read_archive",
    "sample",
    "targets",
    "test",
    "themerooms",
    "uninstall",
]
