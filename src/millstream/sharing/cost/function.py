"""The cost function C: traffic and load that a plan adds, with penalties for overload."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from millstream.model.network import EndPoints
from millstream.sharing.cost.state import NetworkState
from millstream.sharing.cost.usage import Usage

GAMMA = 0.5
"""How much network traffic counts against peer load, unless set."""

_STEEPEST = 500.0
"""A greater exponent would leave the range of numbers."""

_ROUNDING = 1e-9
"""What exceeds by less than this share of the whole is no overload."""


@dataclass(frozen=True, slots=True)
class Overload:
    """A link or peer that a plan asks too much of."""

    place: str
    """SP4 or SP4-SP5."""
    ends: EndPoints | None
    """Of a link; None for a peer."""
    asked: float
    """Bytes a second on a link, seconds of work a second at a peer, with all that is in use."""
    available: float
    """The bandwidth of the link, or the load that the peer can bear."""

    @property
    def excess(self) -> float:
        return self.asked - self.available

    def __str__(self) -> str:
        if self.ends is not None:
            return (
                f"link {self.place} would carry {self.asked:,.0f} bytes a second,"
                f" {self.excess:,.4g} more than its {self.available:,.0f}"
            )
        return (
            f"peer {self.place} would bear a load of {self.asked:.4g},"
            f" {self.excess:.4g} more than its {self.available:.4g}"
        )


def toll(used: float, available: float) -> float:
    """The cost of using a share of a link or peer of which only another share is available."""
    over = used - available
    return used + over * math.exp(min(over, _STEEPEST)) if over > 0 else used


def cost(usage: Usage, state: NetworkState, gamma: float = GAMMA) -> float:
    """The value of C for what a plan adds to a network."""
    traffic = sum(
        toll(share(amount, state.bandwidths[ends]), state.free_bandwidth(ends))
        for ends, amount in usage.traffic.items()
    )
    work = sum(
        toll(share(amount, state.capacities[peer]), state.free_load(peer))
        for peer, amount in usage.work.items()
    )
    return gamma * traffic + (1 - gamma) * work


def overloads(usage: Usage, state: NetworkState) -> Iterator[Overload]:
    """The links and peers that could not bear a plan on top of what they bear already."""
    for ends, amount in usage.traffic.items():
        bandwidth = state.bandwidths[ends]
        asked = state.used_bandwidth(ends) + amount
        if amount > 0 and asked > bandwidth * (1 + _ROUNDING):
            yield Overload("-".join(ends), ends, asked, bandwidth)
    for peer, amount in usage.work.items():
        capacity = state.capacities[peer]
        asked = state.used_load(peer) + amount
        if amount > 0 and asked > capacity * (1 + _ROUNDING):
            yield Overload(peer, None, asked, capacity)


def share(amount: float, whole: float) -> float:
    """A part of a whole; of a link or peer that has nothing, everything is beyond measure."""
    if whole > 0:
        return amount / whole
    return _STEEPEST if amount > 0 else 0.0
