"""The network that a space was made for, and how its subscriptions are planned."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from millstream.errors import StateError
from millstream.model.network import SINGLE, Network
from millstream.model.network_json import network_from_json, network_to_json
from millstream.runtime.storage import Storage
from millstream.sharing.planner import Options, Strategy

_FILE = "network.json"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What does not change in a space's life."""

    network: Network = SINGLE
    strategy: Strategy = Strategy.SHARING
    gamma: float = Options().gamma
    peers: bool = False
    """True when each peer is a process of its own."""

    @property
    def networked(self) -> bool:
        """True if there is more than one place."""
        return len(self.network.peers) > 1

    @property
    def options(self) -> Options:
        """How the planner plans; in one place nothing is ever refused."""
        return replace(
            Options(), strategy=self.strategy, gamma=self.gamma, admission=self.networked
        )


def surroundings_of(
    storage: Storage,
    network: Network | None,
    strategy: str | None,
    gamma: float | None,
    peers: bool | None = None,
) -> Surroundings:
    """What a space remembers, or, of a new one, what is said of it."""
    said = Surroundings(
        network or SINGLE,
        Strategy(strategy or Strategy.SHARING),
        Options().gamma if gamma is None else gamma,
        bool(peers),
    )
    written = storage.read(_FILE)
    if written is None:
        if said.networked:
            storage.write(_FILE, json.dumps(_to_json(said)).encode())
        return said
    known = _from_json(json.loads(written))
    said_now = {"network": network, "strategy": strategy, "gamma": gamma, "peers": peers}
    for name, given in said_now.items():
        if given is not None and getattr(said, name) != getattr(known, name):
            raise StateError(
                f"this space was made with another {name}",
                code="network",
                help=f"open it without saying the {name}, or choose another space",
            )
    return known


def _to_json(known: Surroundings) -> dict[str, object]:
    return {
        "network": network_to_json(known.network),
        "strategy": known.strategy.value,
        "gamma": known.gamma,
        "peers": known.peers,
    }


def _from_json(content: dict[str, object]) -> Surroundings:
    network, gamma = content["network"], content["gamma"]
    assert isinstance(network, dict) and isinstance(gamma, float | int)
    return Surroundings(
        network_from_json(network),
        Strategy(content["strategy"]),
        float(gamma),
        bool(content.get("peers")),
    )
