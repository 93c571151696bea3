"""The compiled part of splc. The public API is the package around it."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal, TypeAlias

PlaceRow: TypeAlias = tuple[str, int, int, int, int, int, int]
DiagnosticRow: TypeAlias = tuple[
    tuple[str, str, Literal["error", "warning", "note"]],
    tuple[str, PlaceRow | None, str],
    tuple[list[tuple[PlaceRow, str]], list[str], str | None],
    tuple[list[tuple[PlaceRow, str, bool]], str],
]
Source: TypeAlias = tuple[str, str | None, bytes]
Included: TypeAlias = tuple[str, str | PathLike[str] | None, str | PathLike[str], bytes]
Parent: TypeAlias = tuple[str, str, str, bytes]
Compiled: TypeAlias = tuple[list[tuple[str, bytes]], list[DiagnosticRow], str]
Statement: TypeAlias = tuple[str, int, str]
Around: TypeAlias = tuple[
    int | None, int | None, str | None, str | None, str | None, str | None, Sequence[str]
]
Things: TypeAlias = tuple[
    list[int | None], list[int | None], list[int | None], list[int | None], list[int | None]
]
Entry: TypeAlias = tuple[str, str, str, list[tuple[int, int, int | None]]]
Made: TypeAlias = tuple[list[bytes], str, int, Things, list[Entry], list[tuple[int | None, str, int]]]
Fault: TypeAlias = tuple[str, int | None]
Counts: TypeAlias = tuple[
    int,
    tuple[int, int, float] | None,
    list[tuple[str, str, int, int, int, int]],
    list[tuple[int, int]],
    list[tuple[int | None, int, int]],
    list[tuple[int | None, str, int, int]],
    list[tuple[str, int, int]],
]

class Requested:
    def __new__(
        cls,
        target: str | None,
        abi: str | None,
        allow: Sequence[str],
        deny: Sequence[str],
        files: Mapping[str, bytes],
        recorded: Sequence[Included],
        catalogs: Catalogs | None,
        project: tuple[Project, bool] | None,
        paths: Sequence[str],
    ) -> Requested: ...

class Project:
    @property
    def file(self) -> str: ...
    @property
    def catalogs(self) -> list[str]: ...
    @property
    def dungeon(self) -> str | None: ...
    @property
    def seeds(self) -> tuple[int, int] | None: ...
    @property
    def around(self) -> Around: ...

def project(start: str | None, config: str | None) -> tuple[Project | None, list[DiagnosticRow]]: ...
def in_dungeon(requested: Requested, source: Source) -> tuple[Requested | None, list[DiagnosticRow]]: ...

class Catalogs: ...

class Level:
    @property
    def name(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def terrain_names(self) -> list[str]: ...
    @property
    def statements(self) -> list[Statement | None]: ...
    def run(self, seed: int, around: Around) -> tuple[Made | None, Fault | None]: ...
    def sample(
        self, seeds: Sequence[int], layers: Sequence[str], threads: int | None, around: Around
    ) -> tuple[bytearray, list[tuple[int, Fault]]]: ...
    def stats(
        self, ranges: Sequence[tuple[int, int]], threads: int | None, around: Around
    ) -> Counts: ...

def measure_names() -> tuple[list[str], list[str]]: ...
def measure(
    level: Level,
    seeds: Sequence[int],
    through: Sequence[str],
    ends: tuple[tuple[int, int] | None, tuple[int, int] | None],
    distances: bool,
    threads: int | None,
    around: Around,
) -> tuple[bytearray, bytearray, list[tuple[int, Fault]]]: ...
def targets(catalogs: Catalogs | None) -> list[tuple[str, str, str]]: ...
def catalogs(
    files: Sequence[tuple[str, bytes]], recorded: Sequence[Parent]
) -> tuple[Catalogs, list[DiagnosticRow], list[Parent]]: ...
def is_script(bytes: bytes) -> bool: ...
def check(source: Source, requested: Requested) -> list[DiagnosticRow]: ...
def decompile(
    source: Source, requested: Requested
) -> tuple[bytes | None, str | None, list[DiagnosticRow], str]: ...
def generate(requested: Requested, seed: int, size: int) -> str: ...
def dungeon(source: Source, requested: Requested, emit: str | None) -> tuple[bytes | None, list[DiagnosticRow]]: ...
def main(arguments: Sequence[str], executable: str | None) -> int: ...
def version() -> str: ...
def compile(source: Source, requested: Requested, output: str, origins: Mapping[int, str]) -> Compiled: ...
def compile_many(
    sources: Sequence[Source], requested: Requested, output: str, threads: int | None
) -> list[Compiled]: ...
def fix(source: Source, requested: Requested) -> tuple[bytes, list[str], list[DiagnosticRow]]: ...
def format(source: Source, requested: Requested) -> tuple[bytes | None, list[DiagnosticRow]]: ...
def explain(code: str) -> str | None: ...
def load(
    source: Source, requested: Requested
) -> tuple[list[tuple[str, Level]], list[DiagnosticRow], str, list[Included]]: ...
def port(
    source: Source, requested: Requested, to: Requested, strict: bool, stand_ins: Sequence[str], instantiate: int | None
) -> tuple[list[tuple[str, bytes]], str, list[DiagnosticRow], str]: ...
def test_levels(
    source: Source, requested: Requested, first: int, last: int, threads: int | None, around: Around
) -> tuple[
    list[DiagnosticRow],
    list[
        tuple[
            DiagnosticRow,
            tuple[str, int, int],
            tuple[int | None, tuple[int, int] | None, list[str]],
        ]
    ],
]: ...
def equiv(
    one: Level, other: Level, seeds: int, threads: int | None
) -> tuple[Literal["proven", "different", "not decided"], str, tuple[int, int] | None]: ...
def freeze(
    level: Level, seed: int, around: Around
) -> tuple[tuple[str, bool, list[str], list[str]] | None, str, list[DiagnosticRow]]: ...
def archive(files: Sequence[tuple[str, bytes]]) -> bytes: ...
def read_archive(bytes: bytes) -> list[tuple[str, bytes]]: ...
def tiles(chars: bytes, inks: bytes, grounds: bytes, width: int, tile: int) -> bytes: ...
