"""The work that operators make, in seconds for each item that comes in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from millstream.model.network import Peer


class Work(Enum):
    """What a peer can be asked to do with the items of a stream."""

    TAP = "tap"
    """Take a copy of a stream that passes by or ends here."""
    SELECT = "select"
    PROJECT = "project"
    AGGREGATE = "aggregate"
    """Put an item into its windows' aggregates."""
    COMPOSE = "compose"
    """Put the aggregates of a window into those of larger ones."""
    FILTER = "filter"
    """Compare the aggregates of a window."""
    WINDOW = "window"
    """Put an item into the contents of its windows."""
    SEND = "send"
    RECEIVE = "receive"
    RESTRUCTURE = "restructure"
    """Make a result from an item or window."""
    COMBINE = "combine"
    """Join an item with those of the other inputs."""


BaseLoads = Mapping[Work, float]

REFERENCE_LOADS: BaseLoads = {
    Work.TAP: 5e-6,
    Work.SELECT: 20e-6,
    Work.PROJECT: 10e-6,
    Work.AGGREGATE: 15e-6,
    Work.COMPOSE: 10e-6,
    Work.FILTER: 5e-6,
    Work.WINDOW: 20e-6,
    Work.SEND: 10e-6,
    Work.RECEIVE: 15e-6,
    Work.RESTRUCTURE: 20e-6,
    Work.COMBINE: 50e-6,
}
"""Seconds of work for one item at a peer of performance index 1.

They are of the order of a streaming XML engine on one processor, some tens of thousands of items a
second, and what matters is how they stand to each other: to look at an item's values costs more
than to copy it, to parse one that arrives costs more than to send it on.
"""


def load(work: Work, peer: Peer, frequency: float, base: BaseLoads = REFERENCE_LOADS) -> float:
    """Seconds of work a second that an operator makes at a peer, for so many items a second.

    The performance index multiplies: a peer of index 2 takes twice the load for an item.
    """
    return base[work] * peer.index * frequency
