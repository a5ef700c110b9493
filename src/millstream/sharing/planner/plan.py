"""The evaluation plan of a subscription: what is tapped where, made there, and sent to whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from millstream.algebra.operators import Query
from millstream.sharing.cost import Overload, Usage
from millstream.sharing.matching import Match
from millstream.sharing.planner.candidate import Candidate, Rejection
from millstream.sharing.planner.flow import Flow
from millstream.sharing.planner.operators import Operator
from millstream.sharing.planner.options import Strategy
from millstream.sharing.properties import Input, Properties


@dataclass(frozen=True, slots=True)
class PlanInput:
    """How one input of a subscription is answered."""

    asked: Input
    tapped: Flow
    tap: str
    """The peer where the flow is tapped."""
    match: Match
    operators: tuple[Operator, ...]
    """What is done at the tap."""
    flow: Flow | None
    """What is new in the network; None if the tapped flow is all that is needed."""
    post: tuple[Operator, ...]
    """What is left to do at the subscriber's super-peer."""
    candidates: tuple[Candidate, ...] = ()
    """Those that were considered, the chosen one among them."""
    rejections: tuple[Rejection, ...] = ()
    """Flows that cannot serve; only known if an explanation was asked for."""

    @property
    def delivered(self) -> Flow:
        """The flow that reaches the subscriber's super-peer."""
        return self.flow or self.tapped


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a subscription cannot be admitted: what even its best plan would overload."""

    overloads: tuple[Overload, ...]

    def __str__(self) -> str:
        return "; ".join(str(each) for each in self.overloads)


@dataclass(frozen=True, slots=True)
class Action:
    """One step of the installation, at one peer."""

    peer: str
    operators: tuple[Operator, ...]
    """What to install; nothing if the peer only sends a flow on."""
    reads: Flow
    makes: Flow | None = None
    """The new flow that begins here, or passes; None where results are made."""
    sends_to: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole subscription's plan; nothing of it is installed yet."""

    subscription: str
    properties: Properties
    peer: str
    """The subscriber's super-peer."""
    strategy: Strategy
    inputs: tuple[PlanInput, ...]
    usage: Usage
    """What it adds to the network."""
    cost: float
    refusal: Refusal | None
    complete: bool
    """False if time ran out: there may be a better plan."""
    revision: int
    """The state of the network that it was made for."""
    query: Query | None = None
    """What is asked, for those who read the plan."""

    @property
    def flows(self) -> tuple[Flow, ...]:
        """What is new in the network."""
        return tuple(each.flow for each in self.inputs if each.flow is not None)

    def actions(self) -> tuple[Action, ...]:
        """The steps of the installation: from the sources outwards, the results last."""
        return (*self._carrying(), *self._finishing())

    def _carrying(self) -> Iterator[Action]:
        for each in self.inputs:
            if each.flow is None:
                continue
            onward = dict(pairwise(each.flow.route))
            yield Action(each.tap, each.operators, each.tapped, each.flow, onward.get(each.tap))
            for peer in each.flow.route[1:]:
                yield Action(peer, (), each.flow, each.flow, onward.get(peer))

    def _finishing(self) -> Iterator[Action]:
        for each in self.inputs:
            if each.flow is None:
                yield Action(self.peer, (*each.operators, *each.post), each.tapped)
            elif each.post:
                yield Action(self.peer, each.post, each.flow)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.subscription} at {self.peer} ({self.strategy.value}, cost {self.cost:.6g})"
        for each in self.inputs:
            yield f"  tap stream {each.tapped.name} at {each.tap}"
            yield from (f"    {operator}" for operator in each.operators[1:])
            if each.flow is not None and len(each.flow.route) > 1:
                yield f"  route {' -> '.join(each.flow.route)}"
            yield from (f"  {operator} at {self.peer}" for operator in each.post)
        if self.refusal is not None:
            yield f"  refused: {self.refusal}"
        if not self.complete:
            yield "  time ran out: there may be a better plan"
