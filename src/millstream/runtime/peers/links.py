"""Links between peers over a shared storage: packets wait in a folder until they are received.

A packet is written whole, under the step of its source, and goes when the peer at the other end
has it for good. What was received is remembered apart, and is what traffic is counted from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from millstream.runtime.peers.packet import Packet, Received
from millstream.runtime.storage import Storage
from millstream.runtime.use import Hop

FOLDER = "links"


@dataclass(frozen=True, slots=True)
class Traffic:
    """What went over a hop."""

    payload: int = 0
    """Bytes of items."""
    bytes: int = 0
    """Of all that went with them as well."""
    items: int = 0
    packets: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(
            self.payload + other.payload,
            self.bytes + other.bytes,
            self.items + other.items,
            self.packets + other.packets,
        )


class Links:
    """All links of a space."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    # Packets on their way.

    def send(self, tap: str, hop: Hop, batch: int, data: bytes) -> None:
        """Put a packet on a link; the same again does no harm."""
        self._storage.write(f"{self._way(tap, hop)}/{batch:012d}.packet", data)

    def waiting(self, tap: str, hop: Hop) -> Iterator[tuple[Packet, bytes]]:
        """The packets that wait at the end of a link, in order, as they travelled."""
        folder = self._way(tap, hop)
        for name in self._storage.names(folder):
            data = self._storage.read(f"{folder}/{name}") if name.endswith(".packet") else None
            if data is not None:
                yield Packet.from_bytes(data), data

    def drop(self, tap: str, hop: Hop, batch: int) -> None:
        """Take a packet off a link."""
        self._storage.delete(f"{self._way(tap, hop)}/{batch:012d}.packet")

    # How far a flow has been sent, and received.

    def sent(self, tap: str) -> int | None:
        """The step of its source up to which a flow was sent; None if nothing ever was."""
        content = self._storage.read(f"{FOLDER}/{_safe(tap)}/sent.json")
        return None if content is None else int(json.loads(content)["batch"])

    def remember_sent(self, tap: str, batch: int) -> None:
        content = json.dumps({"batch": batch}).encode()
        self._storage.write(f"{FOLDER}/{_safe(tap)}/sent.json", content)

    def received(self, tap: str, hop: Hop) -> Received:
        """What the peer at the end of a hop has received of a flow."""
        content = self._storage.read(self._receipt(tap, hop))
        return Received(hop) if content is None else Received.from_json(json.loads(content))

    def remember_received(self, tap: str, received: Received) -> None:
        content = json.dumps(received.to_json()).encode()
        self._storage.write(self._receipt(tap, received.hop), content)

    def forget(self, tap: str) -> None:
        """Let go of what is on its way in a flow that nobody needs; what it took is kept."""
        folder = f"{FOLDER}/{_safe(tap)}"
        for name in self._storage.names(folder):
            if not name.endswith(".json"):
                self._storage.delete(f"{folder}/{name}")

    def traffic(self) -> Mapping[Hop, Traffic]:
        """What went over each hop, of all flows that there ever were."""
        found: dict[Hop, Traffic] = {}
        for flow in self._storage.names(FOLDER):
            names = self._storage.names(f"{FOLDER}/{flow}")
            for name in (each for each in names if each.startswith("received-")):
                content = self._storage.read(f"{FOLDER}/{flow}/{name}")
                if name.endswith(".json") and content is not None:
                    each = Received.from_json(json.loads(content))
                    went = Traffic(each.payload, each.bytes, each.items, each.packets)
                    found[each.hop] = found.get(each.hop, Traffic()) + went
        return found

    def _way(self, tap: str, hop: Hop) -> str:
        return f"{FOLDER}/{_safe(tap)}/{_hop(hop)}"

    def _receipt(self, tap: str, hop: Hop) -> str:
        return f"{FOLDER}/{_safe(tap)}/received-{_hop(hop)}.json"


def _safe(name: str) -> str:
    return quote(name, safe="")


def _hop(hop: Hop) -> str:
    return f"{_safe(hop[0])}_{_safe(hop[1])}"
