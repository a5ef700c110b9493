"""The network of a scenario in TOML: a shape, single peers and links, or both."""

from __future__ import annotations

from millstream.errors import MillstreamError
from millstream.model.network import DEFAULT_BANDWIDTH, Link, Network, Peer, ThinPeer
from millstream.scenarios.toml_table import Table
from millstream.sharing.network import limited, topology

BYTES_PER_MBIT = 1_000_000 / 8
SHAPES = '"cube", "small" or "grid 4x4"'


def read_network(table: Table) -> Network:
    """The network that a table describes; single peers and links add to its shape or change it."""
    table.only("topology", "capacity", "index", "bandwidth", "peer", "link", "thin_peer")
    if "topology" not in table and "peer" not in table:
        raise table.error(
            "the network has neither a topology nor peers",
            help=f"write topology = {SHAPES} below [network], or [[network.peer]]",
        )
    peers, links = _shape(table)
    for each in table.tables("peer"):
        peer = _peer(each, peers.get(each.text("name")) or _usual_peer(table))
        peers[peer.name] = peer
    for each in table.tables("link"):
        link = _link(each, peers, table)
        links[frozenset((link.source, link.target))] = link
    thin = tuple(_thin_peer(each, peers) for each in table.tables("thin_peer", "thin-peer"))
    return Network(tuple(peers.values()), tuple(links.values()), thin)


def _shape(table: Table) -> tuple[dict[str, Peer], dict[frozenset[str], Link]]:
    """The peers and links of the topology, if one is named."""
    if "topology" not in table:
        return {}, {}
    try:
        shape = topology(table.text("topology"))
    except MillstreamError as error:
        raise table.error(error.message, "topology", help=error.help) from None
    usual = _usual_peer(table)
    shape = limited(shape, capacity=usual.capacity, index=usual.index, bandwidth=_bandwidth(table))
    peers = {each.name: each for each in shape.peers}
    return peers, {frozenset((each.source, each.target)): each for each in shape.links}


def _usual_peer(table: Table) -> Peer:
    return _peer(table, Peer(""), name="")


def _peer(table: Table, usual: Peer, name: str | None = None) -> Peer:
    if name is None:
        name = table.only("name", "capacity", "index").text("name")
    return Peer(
        name,
        capacity=table.number("capacity", usual.capacity, above=0),
        index=table.number("index", usual.index, above=0),
    )


def _link(table: Table, peers: dict[str, Peer], network: Table) -> Link:
    ends = table.only("between", "bandwidth").texts("between", ())
    if len(ends) != 2 or ends[0] == ends[1]:
        raise table.error(
            f"{table.what} needs two ends", "between", help='between = ["SP0", "SP1"]'
        )
    for end in ends:
        table.known("between", "super-peer", end, peers)
    return Link(*ends, bandwidth=_bandwidth(table, _bandwidth(network)))


def _thin_peer(table: Table, peers: dict[str, Peer]) -> ThinPeer:
    table.only("name", "at")
    at = table.text("at")
    table.known("at", "super-peer", at, peers)
    if table.text("name") in peers:
        raise table.error(f"{table.what} has the name of a super-peer", "name")
    return ThinPeer(table.text("name"), at)


def _bandwidth(table: Table, usual: float = DEFAULT_BANDWIDTH) -> float:
    """Bytes a second; the file says MBit."""
    return table.number("bandwidth", usual / BYTES_PER_MBIT, above=0) * BYTES_PER_MBIT
