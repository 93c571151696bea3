"""Frozen levels: a finished level as a source that always makes just that level."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class Frozen:
    """A level as a source."""

    text: str
    """The source: a des-file, or a Lua script for NetHack 5."""
    proven: bool
    """True if every outcome was tried, and is exactly the level. If it is false, and nothing is lost or added, there
    were too many outcomes to try all, and 100 runs of the source made the level."""
    lost: tuple[str, ...]
    """What the level has that the source does not make on every run."""
    added: tuple[str, ...]
    """What the source makes on some run that the level does not have."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        differs = f"{len(self.lost)} facts lost, {len(self.added)} added" if self.lost or self.added else "not decided"
        state = "proven" if self.proven else differs
        return f"<splc.Frozen: {self.text.count(chr(10))} lines, {state}>"
