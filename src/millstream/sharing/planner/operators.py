"""The operators that a plan places, and what they are asked to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from millstream.model.network import Network
from millstream.model.schema import Path
from millstream.sharing.cost import BaseLoads, Usage, Work, load
from millstream.sharing.matching import Match
from millstream.sharing.predicates import Predicate
from millstream.sharing.properties import ALWAYS, AggregateOf, Input, WindowProperties
from millstream.sharing.statistics import Estimate

Subject = Predicate | WindowProperties | frozenset[Path] | None


class Per(Enum):
    """What an operator works on, each once."""

    SOURCE = "source"
    """The items of the flow that is tapped."""
    SELECTED = "selected"
    """Those of them that are selected."""
    MADE = "made"
    """The items, or windows, that are made for the subscription."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How much there is of what operators work on."""

    source: Estimate
    made: Estimate

    def frequency(self, per: Per) -> float:
        """Items a second."""
        match per:
            case Per.SOURCE:
                return self.source.frequency
            case Per.SELECTED:
                return self.made.selected
            case Per.MADE:
                return self.made.frequency


@dataclass(frozen=True, slots=True)
class Operator:
    """Work on the items of a stream."""

    work: Work
    per: Per
    subject: Subject = None
    """A condition, windows, or the paths that are kept."""

    def __str__(self) -> str:
        match self.subject:
            case WindowProperties(spec=spec, aggregates=aggregates):
                return " ".join((self.work.value, *_names(aggregates), str(spec)))
            case frozenset():
                kept = sorted("/".join(path) or "." for path in self.subject)
                return f"{self.work.value} {', '.join(kept)}"
            case None:
                return self.work.value
            case _:
                return f"{self.work.value} {self.subject}"


def tap_operators(wanted: Input, tapped: Input, match: Match) -> tuple[Operator, ...]:
    """What remains to be done, where a flow is tapped, to make what is wanted of it."""
    found = [Operator(Work.TAP, Per.SOURCE)]
    window, given = wanted.window, tapped.window
    if given is not None and window is not None:
        if match.composes:
            found.append(Operator(Work.COMPOSE, Per.SOURCE, window))
        elif window.aggregates != given.aggregates:
            found.append(Operator(Work.PROJECT, Per.SOURCE, window))
        if match.residual != ALWAYS:
            found.append(Operator(Work.FILTER, Per.MADE, match.residual))
        return tuple(found)
    if match.residual != ALWAYS:
        found.append(Operator(Work.SELECT, Per.SOURCE, match.residual))
    if window is not None:
        found += _aggregation(window)
    elif wanted.output != tapped.output:
        found.append(Operator(Work.PROJECT, Per.MADE, wanted.output))
    return tuple(found)


def whole_operators(asked: Input) -> tuple[Operator, ...]:
    """What is done with a whole stream before results can be made, all in one place."""
    found = []
    if asked.selection != ALWAYS:
        found.append(Operator(Work.SELECT, Per.SOURCE, asked.selection))
    if asked.window is not None and asked.aggregated:
        found += _aggregation(asked.window)
    return tuple(found)


def post_operators(asked: Input, inputs: int) -> tuple[Operator, ...]:
    """What is left to the subscriber's super-peer when a flow of the right content arrives."""
    found = []
    if asked.window is not None and asked.window.contents:
        found.append(Operator(Work.WINDOW, Per.MADE, asked.window))
    if inputs > 1:
        found.append(Operator(Work.COMBINE, Per.MADE))
    found.append(Operator(Work.RESTRUCTURE, Per.MADE))
    return tuple(found)


def work_usage(
    operators: Iterable[Operator], peer: str, rates: Rates, network: Network, loads: BaseLoads
) -> Usage:
    """What some operators use at a peer."""
    place = network.peers[network.number(peer)]
    work = sum(load(each.work, place, rates.frequency(each.per), loads) for each in operators)
    return Usage(work={peer: work} if work else {})


def _aggregation(window: WindowProperties) -> list[Operator]:
    found = [Operator(Work.AGGREGATE, Per.SELECTED, window)]
    if window.filter != ALWAYS:
        found.append(Operator(Work.FILTER, Per.MADE, window.filter))
    return found


def _names(aggregates: frozenset[AggregateOf]) -> tuple[str, ...]:
    return (", ".join(sorted(each.name for each in aggregates)),) if aggregates else ()
