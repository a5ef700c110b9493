"""Networks as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from millstream.model.network import Link, Network, Peer, ThinPeer


def network_to_json(network: Network) -> dict[str, Any]:
    """A network as plain values."""
    return {
        "peers": [asdict(each) for each in network.peers],
        "links": [asdict(each) for each in network.links],
        "thin_peers": [asdict(each) for each in network.thin_peers],
    }


def network_from_json(content: dict[str, Any]) -> Network:
    """The network that `network_to_json` wrote."""
    return Network(
        tuple(Peer(**each) for each in content["peers"]),
        tuple(Link(**each) for each in content["links"]),
        tuple(ThinPeer(**each) for each in content["thin_peers"]),
    )
