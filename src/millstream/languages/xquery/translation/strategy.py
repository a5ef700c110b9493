"""The three ways to answer a query over fillers."""

from __future__ import annotations

from enum import Enum


class Strategy(Enum):
    """Where a query begins, and when holes are filled; the answers are the same."""

    CAQ = "caq"
    """Construct, then query: all holes are filled first."""
    QAC = "qac"
    """Query, then construct: from the root, through the holes on the way."""
    QAC_PLUS = "qac+"
    """The same, from the fillers of the tag that a path leads to."""
