"""Diagnostics of a source as records, and the exceptions that contain them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ._splc import DiagnosticRow, PlaceRow

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Span:
    """A part of a file. Lines and columns count from 1, columns count characters, the end is exclusive."""

    file: str
    """Name of the file."""
    line: int
    """Line of its start; 0 in a level file, which has no lines."""
    column: int
    """Column of its start."""
    end_line: int
    """Line of its end."""
    end_column: int
    """Column after its end."""
    start: int
    """Offset of its first byte."""
    end: int
    """Offset after its last byte."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}, byte {self.start}"


@dataclass(frozen=True)
class Label:
    """A second place that a diagnostic points to."""

    span: Span
    message: str


@dataclass(frozen=True)
class Edit:
    """A change of the source that fixes a mistake."""

    span: Span
    """The text to replace; empty to insert."""
    replacement: str
    applicable: bool
    """True if it is safe to apply without review, as :func:`splc.fix` does."""


@dataclass(frozen=True, repr=False)
class Diagnostic:
    """A message about a source."""

    code: str
    """Its stable code, such as ``E0201``; :func:`splc.explain` explains it."""
    name: str
    """The name of the code, such as ``unknown-monster``, for ``allow`` and ``deny``."""
    severity: Severity
    text: str
    """The problem, in one line."""
    span: Span | None
    """Its place, if it has one."""
    label: str
    """Text for that place; may be empty."""
    labels: tuple[Label, ...]
    """Other places."""
    notes: tuple[str, ...]
    """Explanations."""
    help: str | None
    """The suggested action."""
    edits: tuple[Edit, ...]
    """Changes that fix it."""
    rendered: str
    """The complete message as text, with the line of the source."""

    def __str__(self) -> str:
        return self.rendered.rstrip("\n")

    def __repr__(self) -> str:
        place = "" if self.span is None else f" {self.span}:"
        return f"<splc.Diagnostic {self.severity}[{self.code}]{place} {self.text}>"


class CompileError(ValueError):
    """A level that cannot be compiled. The message lists every mistake with its line."""

    def __init__(self, diagnostics: Iterable[Diagnostic], message: str | None = None) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        """All diagnostics, including warnings."""
        self.message: str | None = message
        errors = [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]
        counted = f"{len(errors)} error{'' if len(errors) == 1 else 's'}"
        parts = [message if message is not None else f"the level cannot be compiled: {counted}"]
        parts.extend(str(diagnostic) for diagnostic in self.diagnostics if diagnostic.severity != "note")
        super().__init__("\n\n".join(parts))

    def __reduce__(self) -> tuple[type[CompileError], tuple[tuple[Diagnostic, ...], str | None]]:
        return type(self), (self.diagnostics, self.message)


class CompileWarning(UserWarning):
    """A suspicious part of a level that can be compiled."""


class RunError(RuntimeError):
    """A level that compiles, but that the game cannot load: it would give up, crash or hang."""

    def __init__(self, text: str, level: str, seed: int | None = None, statement: str | None = None) -> None:
        self.text: str = text
        self.level: str = level
        self.seed: int | None = seed
        self.statement: str | None = statement
        with_seed = "" if seed is None else f" with seed {seed}"
        at = "" if statement is None else f" (at {statement})"
        super().__init__(f"the game cannot load the level {level!r}{with_seed}: {text}{at}")

    def __reduce__(self) -> tuple[type[RunError], tuple[str, str, int | None, str | None]]:
        return type(self), (self.text, self.level, self.seed, self.statement)


def _span(row: PlaceRow) -> Span:
    return Span(*row)


def from_rows(rows: Sequence[DiagnosticRow]) -> list[Diagnostic]:
    """Returns the diagnostics for the tuples of the compiled part."""
    return [
        Diagnostic(
            code=code,
            name=name,
            severity=severity,
            text=text,
            span=None if span is None else _span(span),
            label=label,
            labels=tuple(Label(_span(place), message) for place, message in labels),
            notes=tuple(notes),
            help=help_,
            edits=tuple(Edit(_span(place), new, applicable) for place, new, applicable in edits),
            rendered=rendered,
        )
        for (code, name, severity), (text, span, label), (labels, notes, help_), (edits, rendered) in rows
    ]
