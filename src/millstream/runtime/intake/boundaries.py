"""Where a text may be cut: what every format must tell about the ends and starts of its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Cut:
    """The whole items at the start of a window."""

    end: int
    """Just after the last whole item; 0 when there is none."""
    items: int = 0
    """How many there are; counted only where a limit asks for it."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something at an offset of a text that is not, and will not become, an item."""

    offset: int
    kind: str
    reason: str


class Boundaries(Protocol):
    """How the items of a text are told apart; every window starts between two items."""

    spans_files: bool
    """True when an item may begin in one file and end in the next."""

    def cut(self, window: bytes, limit: int | None, final: bool) -> Cut:
        """The whole items of a window, at most `limit`; `final` when nothing follows it."""

    def start(self, window: bytes) -> int:
        """Where the first item begins, or how much may be skipped when none does."""

    def resume(self, window: bytes, desperate: bool) -> tuple[int, bool]:
        """How much of a window that starts inside a given-up item belongs to it, and if it ends.

        Desperate when no more can be waited for: then whatever looks like an item will do.
        """

    def flaw(self, rest: bytes, fruitful: bool) -> Flaw | None:
        """What is wrong with the rest of a text; fruitful when there were items before it."""

    def idle(self, rest: bytes) -> bool:
        """True when nobody would miss the rest: it holds white space or the end of a document."""
