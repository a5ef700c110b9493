"""Networks of well-known shapes; the super-peers of each are SP0, SP1 and so on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from millstream.errors import SchemaError, did_you_mean
from millstream.model.network import Link, Network, Peer

MOST_PEERS = 4096
"""More are taken for a slip of the pen."""

KNOWN = ("cube", "small", "grid 4x4")
_SIZED = re.compile(r"(?P<shape>cube|grid)\s+(?P<size>\d{1,4})(?:\s*x\s*(?P<columns>\d{1,4}))?")


def cube(dimensions: int = 3) -> Network:
    """The hypercube: super-peers are linked when their numbers differ in one bit."""
    if dimensions < 0 or 2**dimensions > MOST_PEERS:
        raise SchemaError(f"a cube of {dimensions} dimensions is not possible")
    count = 2**dimensions
    return _numbered(
        count,
        (
            (one, one | 1 << bit)
            for one in range(count)
            for bit in range(dimensions)
            if not one >> bit & 1
        ),
    )


def small() -> Network:
    """Four super-peers: SP1, SP2 and SP3 form a triangle, SP0 is linked to SP1.

    Streams enter at SP0.
    """
    return _numbered(4, ((0, 1), (1, 2), (1, 3), (2, 3)))


def grid(rows: int, columns: int) -> Network:
    """Super-peers in rows, numbered row by row; each is linked to those beside and below it."""
    if rows < 1 or columns < 1 or rows * columns > MOST_PEERS:
        raise SchemaError(f"a grid of {rows}x{columns} super-peers is not possible")
    beside = (
        (row * columns + column, row * columns + column + 1)
        for row in range(rows)
        for column in range(columns - 1)
    )
    below = ((number, number + columns) for number in range((rows - 1) * columns))
    return _numbered(rows * columns, (*beside, *below))


def topology(text: str) -> Network:
    """The network of a shape as people write it: 'cube', 'cube 4', 'small', 'grid 4x4'."""
    words = text.strip().lower()
    if words == "cube":
        return cube()
    if words == "small":
        return small()
    sized = _SIZED.fullmatch(words)
    if sized and sized["shape"] == "cube" and not sized["columns"]:
        return cube(int(sized["size"]))
    if sized and sized["shape"] == "grid" and sized["columns"]:
        return grid(int(sized["size"]), int(sized["columns"]))
    raise SchemaError(f"there is no topology '{text}'", help=did_you_mean(words, KNOWN))


def limited(
    network: Network,
    *,
    capacity: float | None = None,
    index: float | None = None,
    bandwidth: float | None = None,
) -> Network:
    """The network with the same capacity and index at all peers, and bandwidth on all links."""
    return replace(
        network,
        peers=tuple(
            replace(
                each,
                capacity=each.capacity if capacity is None else capacity,
                index=each.index if index is None else index,
            )
            for each in network.peers
        ),
        links=tuple(
            replace(each, bandwidth=each.bandwidth if bandwidth is None else bandwidth)
            for each in network.links
        ),
    )


def _numbered(count: int, pairs: Iterable[tuple[int, int]]) -> Network:
    return Network(
        tuple(Peer(f"SP{number}") for number in range(count)),
        tuple(Link(f"SP{one}", f"SP{other}") for one, other in pairs),
    )
