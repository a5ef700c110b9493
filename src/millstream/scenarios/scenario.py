"""A scenario: a network, the streams that enter it, and the queries registered in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from millstream.errors import SchemaError, did_you_mean
from millstream.model.network import Network

STRATEGIES = ("sharing", "query-shipping", "data-shipping")
"""How queries are answered: from what flows already, at the source, or at the subscriber."""

DEFAULT_RATE = 10.0
"""Items a second: a pause of 100 ms between two."""


@dataclass(frozen=True, slots=True)
class PhotonSource:
    """Made-up photons: equal sources give equal photons."""

    count: int
    seed: int = 0
    per_second: float = 3.0
    """Photons in a second of their own time, `det_time`."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """An XML file that holds the items."""

    path: Path


@dataclass(frozen=True, slots=True)
class ScenarioStream:
    """A stream that enters the network at a super-peer."""

    name: str
    peer: str
    source: PhotonSource | FileSource
    schema: str | None = None
    """The text of a DTD or another schema; without it, the items tell."""
    item: str | None = None
    """The element of the items, where schema and file leave it open."""
    order_by: str | None = None
    """The path whose value never decreases."""
    rate: float = DEFAULT_RATE
    """Items a second that arrive at the super-peer."""


@dataclass(frozen=True, slots=True)
class ScenarioQuery:
    """A query and the super-peer that it is registered at."""

    name: str
    text: str
    peer: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a scenario asks of the planner."""

    strategy: str = STRATEGIES[0]
    gamma: float = 0.5
    """The weight of traffic against load in the cost of a plan."""
    seed: int = 0
    """Of everything that is drawn."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise SchemaError(
                f"there is no strategy '{self.strategy}'",
                help=did_you_mean(self.strategy, STRATEGIES),
            )
        if not 0 <= self.gamma <= 1:
            raise SchemaError(f"gamma is a weight from 0 to 1, not {self.gamma}")


@dataclass(frozen=True, slots=True)
class Scenario:
    """Everything that an experiment needs: queries are registered in order, streams before them."""

    name: str
    network: Network
    streams: tuple[ScenarioStream, ...]
    queries: tuple[ScenarioQuery, ...]
    settings: Settings = field(default_factory=Settings)
    description: str = ""
    notes: tuple[str, ...] = ()
    """What reading it corrected, assumed or left out, in sentences for people."""

    def __post_init__(self) -> None:
        _distinct((each.name for each in self.streams), "stream")
        _distinct((each.name for each in self.queries), "query")
        for peer in (*(each.peer for each in self.streams), *(each.peer for each in self.queries)):
            self.network.peer(peer)

    def stream(self, name: str) -> ScenarioStream:
        return next(each for each in self.streams if each.name == name)

    def query(self, name: str) -> ScenarioQuery:
        return next(each for each in self.queries if each.name == name)


def _distinct(names: Iterable[str], kind: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SchemaError(f"there is another {kind} '{name}'")
        seen.add(name)
