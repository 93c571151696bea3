"""The compiled part of splc. The public API is the package around it."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

PlaceRow: TypeAlias = tuple[str, int, int, int, int, int, int]
DiagnosticRow: TypeAlias = tuple[
    tuple[str, str, Literal["error", "warning", "note"]],
    tuple[str, PlaceRow | None, str],
    tuple[list[tuple[PlaceRow, str]], list[str], str | None],
    tuple[list[tuple[PlaceRow, str, bool]], str],
]
Source: TypeAlias = tuple[str, str | None, bytes]
Included: TypeAlias = tuple[str, str | None, str, bytes]
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

class Asked:
    def __new__(
        cls,
        target: str | None,
        abi: str | None,
        allow: Sequence[str],
        deny: Sequence[str],
        files: Mapping[str, bytes],
        recorded: Sequence[Included],
    ) -> Asked: ...

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

def targets() -> list[tuple[str, str, str]]: ...
def compile(source: Source, asked: Asked, output: str, origins: Mapping[int, str]) -> Compiled: ...
def compile_many(
    sources: Sequence[Source], asked: Asked, output: str, threads: int | None
) -> list[Compiled]: ...
def fix(source: Source, asked: Asked) -> tuple[bytes, list[str], list[DiagnosticRow]]: ...
def format(source: Source, asked: Asked) -> tuple[bytes | None, list[DiagnosticRow]]: ...
def explain(code: str) -> str | None: ...
def load(
    source: Source, asked: Asked
) -> tuple[list[tuple[str, Level]], list[DiagnosticRow], str, list[Included]]: ...
def port(
    source: Source, asked: Asked, to: Asked, strict: bool, stand_ins: Sequence[str]
) -> tuple[bytes | None, str, list[DiagnosticRow], str]: ...
def test_levels(
    source: Source, asked: Asked, first: int, last: int, threads: int | None, around: Around
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
def archive(files: Sequence[tuple[str, bytes]]) -> bytes: ...
def read_archive(bytes: bytes) -> list[tuple[str, bytes]]: ...
def tiles(chars: bytes, inks: bytes, grounds: bytes, width: int, tile: int) -> bytes: ...
