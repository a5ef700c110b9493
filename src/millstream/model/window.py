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


@dataclass(frozen=True, slots=True)
class Closing:
    """The windows that close in one step: from opens to closes, none if opens is the larger."""

    opens: int
    closes: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stream is, in ticks: up to where windows had closed, have closed, and its last."""

    closed_before: int | None
    closed_now: int | None
    last: int | None
    ended: bool


def closing_windows(
    spec: WindowSpec, first_window: int, rule: EndRule, progress: Progress, tile: int = 0
) -> Closing:
    """The time-based windows that close when a stream makes progress, or ends.

    Window k is the ticks [k·step, k·step + size); it closes when the stream has come to its end.
    An item that is a tile stands at its start, and brings the stream to its own end.
    """
    opens = first_window
    if progress.closed_before is not None:
        opens = max(opens, _last_full(spec, progress.closed_before + tile) + 1)
    if progress.last is None or progress.closed_now is None:
        return Closing(opens, -1)
    if not progress.ended:
        return Closing(opens, _last_full(spec, progress.closed_now + tile))
    full = _last_full(spec, progress.last + tile)
    match rule:
        case EndRule.CUT:
            return Closing(opens, full)
        case EndRule.GATHER:
            return Closing(opens, max(0, full + 1))
        case EndRule.RUN:
            return Closing(opens, progress.last // spec.step)


def _last_full(spec: WindowSpec, tick: int) -> int:
    """The last window that ends at or before a tick; negative if there is none."""
    return (tick - spec.size) // spec.step
