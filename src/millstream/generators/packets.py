"""Made-up TCP connections: who asks for one, and when, if ever, that is acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from millstream.errors import MillstreamError
from millstream.generators.event_stream import Event, EventStream

START = datetime(2003, 11, 1, tzinfo=UTC)
PATIENCE = timedelta(minutes=1)
"""How long an acknowledgement may take."""

LEAVES = ("id", "srcIP", "srcPort", "destIP", "destPort")
SYNS = EventStream("gsyn", "packets", "packet", LEAVES)
ACKS = EventStream("ack", "packets", "packet", LEAVES)


@dataclass(frozen=True, slots=True)
class Backbone:
    """How many connections are asked for, and what share of them goes wrong."""

    connections: int
    seed: int = 0
    late: float = 0.1
    lost: float = 0.1
    start: datetime = START

    def __post_init__(self) -> None:
        if self.connections < 0 or self.late < 0 or self.lost < 0 or self.late + self.lost > 1:
            raise MillstreamError("shares of connections lie between 0 and 1, together as well")


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection that was asked for, and when it was acknowledged."""

    id: int
    asked: datetime
    acknowledged: datetime | None
    source: tuple[str, int]
    target: tuple[str, int]

    @property
    def misbehaves(self) -> bool:
        """True if no acknowledgement came in time."""
        return self.acknowledged is None or self.acknowledged - self.asked > PATIENCE


def connections(backbone: Backbone) -> Iterator[Connection]:
    """All connections, in the order in which they were asked for."""
    random = Random(f"{backbone.seed}/packets")
    time = backbone.start
    for number in range(backbone.connections):
        time += timedelta(milliseconds=1 + int(random.expovariate(1 / 5_000)))
        source = (_address(random), random.randint(1_024, 65_535))
        target = (_address(random), random.choice((22, 25, 80, 443)))
        yield Connection(number, time, _acknowledged(random, backbone, time), source, target)


def syns(backbone: Backbone) -> Iterator[Event]:
    """The packets that ask for a connection."""
    for each in connections(backbone):
        yield Event(each.asked, _packet(each.id, each.source, each.target))


def acks(backbone: Backbone) -> Iterator[Event]:
    """The packets that acknowledge one, in order of time."""
    answered = (
        Event(each.acknowledged, _packet(each.id, each.target, each.source))
        for each in connections(backbone)
        if each.acknowledged is not None
    )
    return iter(sorted(answered, key=lambda event: event.at))


def _acknowledged(random: Random, backbone: Backbone, asked: datetime) -> datetime | None:
    share = random.random()
    if share < backbone.lost:
        return None
    if share < backbone.lost + backbone.late:
        return asked + PATIENCE + timedelta(seconds=random.randint(1, 120))
    return asked + timedelta(milliseconds=random.randint(1, 59_000))


def _packet(id: int, source: tuple[str, int], target: tuple[str, int]) -> dict[str, object]:
    return dict(zip(LEAVES, (id, *source, *target), strict=True))


def _address(random: Random) -> str:
    return ".".join(str(random.randint(1, 254)) for _ in range(4))
