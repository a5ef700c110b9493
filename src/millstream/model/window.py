"""Data windows: item-based and time-based, with size and step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from millstream.model.schema import Path


class WindowKind(Enum):
    COUNT = "count"
    DIFF = "diff"


class EndRule(Enum):
    """What becomes of unfinished windows when a finite stream ends."""

    CUT = "cut"
    GATHER = "gather"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """The seed's |count Δ step μ| or |path diff Δ step μ|."""

    kind: WindowKind
    size: int
    step: int
    reference: Path = ()
    """The path, from the windowed element, whose value places an element in time (diff only)."""

    @property
    def default_end(self) -> EndRule:
        return EndRule.CUT if self.kind is WindowKind.COUNT else EndRule.RUN

    def __str__(self) -> str:
        if self.kind is WindowKind.COUNT:
            return f"|count {self.size} step {self.step}|"
        return f"|{'/'.join(self.reference) or '.'} diff {self.size} step {self.step}|"
