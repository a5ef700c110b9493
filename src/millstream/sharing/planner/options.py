"""How a planner plans."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from millstream.sharing.cost import REFERENCE_LOADS, BaseLoads
from millstream.sharing.cost.function import GAMMA


class Strategy(Enum):
    """How subscriptions get their data."""

    SHARING = "sharing"
    """From what flows already, wherever that is cheapest."""
    QUERY_SHIPPING = "query-shipping"
    """Each is evaluated where its stream enters, and its result is sent."""
    DATA_SHIPPING = "data-shipping"
    """Each gets the whole stream and is evaluated where it was registered."""


class Bypass(Enum):
    """How routes avoid what is overloaded."""

    REDUCED = "reduced"
    """Shortest paths in the network without what a plan would overload, again and again."""
    WEIGHTED = "weighted"
    """One path, the cheapest by what the links and peers on it bear already."""


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of a planner."""

    strategy: Strategy = Strategy.SHARING
    gamma: float = GAMMA
    """How much network traffic counts against peer load, from 0 to 1."""
    bypass: Bypass = Bypass.REDUCED
    horizon: int = 0
    """An equal flow within so many links of the subscriber is taken without further search."""
    time_limit: float | None = None
    """Seconds after which the best plan found so far is taken."""
    admission: bool = True
    """Refuse subscriptions that would overload a link or peer, whatever the plan."""
    loads: BaseLoads = field(default_factory=lambda: REFERENCE_LOADS)
    clock: Callable[[], float] = time.monotonic
