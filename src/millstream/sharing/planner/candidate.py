"""A way to answer an input: which flow is tapped where, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.sharing.cost import Overload, Usage
from millstream.sharing.matching import Match
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.operators import Operator


@dataclass(frozen=True, slots=True)
class Candidate:
    """A flow that can serve, tapped at a peer."""

    flow: Flow
    peer: str
    route: tuple[str, ...]
    """From there to the subscriber's super-peer."""
    match: Match
    operators: tuple[Operator, ...]
    """At the peer."""
    usage: Usage
    """With all that the subscription uses besides."""
    cost: float
    overloads: tuple[Overload, ...] = ()

    def __str__(self) -> str:
        over = f", overloads {', '.join(each.place for each in self.overloads)}"
        way = " -> ".join(self.route)
        return f"{self.flow.name} at {self.peer}: cost {self.cost:.6g} ({way})" + (
            over if self.overloads else ""
        )


@dataclass(frozen=True, slots=True)
class Rejection:
    """A flow that cannot serve, and why."""

    flow: Flow
    match: Match

    def __str__(self) -> str:
        reasons = "; ".join(each.text for each in self.match.failed)
        return f"{self.flow.name}: {reasons}"
