"""What goes over a link: the items of a flow that some steps of its source gave, and the time.

A packet is a line of JSON, the margin, and the items as XML, one after another. The margin is an
Arrow stream that holds of each item its position and how far the original stream had come before
it: it repeats itself and packs to very little. Packets of windows have no margin.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from millstream.errors import StateError
from millstream.runtime.ledger import Json

SEPARATOR = "\n\x1e"
"""Stands between two items; no item holds a control character."""
_PACKING = pa.ipc.IpcWriteOptions(compression="zstd")


@dataclass(frozen=True, slots=True)
class Packet:
    """One delivery of a flow from peer to peer."""

    batch: int
    """The step of the source up to which it goes."""
    clock: list[Json] = field(default_factory=list)
    """How far the source is, as watermarks."""
    ended: bool = False
    opening: bool = False
    """True for the first of a flow: it brings nothing but the time."""
    begun: bool = True
    """False before the tap has taken part in a step."""
    items: int = 0
    seconds: float = 0.0
    """Of work where the flow is made."""
    payload: bytes = b""
    """The items."""
    margin: pa.Table | None = None

    def to_bytes(self) -> bytes:
        """The packet as it travels."""
        margin = b"" if self.margin is None else _packed(self.margin)
        told = {name: getattr(self, name) for name in _TOLD}
        head = json.dumps({**told, "margin": len(margin)}, separators=(",", ":"))
        return b"\n".join((head.encode(), margin + self.payload))

    def texts(self) -> list[str]:
        """The items, each as XML."""
        return self.payload.decode().split(SEPARATOR) if self.payload else []

    @staticmethod
    def from_bytes(data: bytes) -> Packet:
        """The packet that `to_bytes` wrote."""
        head, _, rest = data.partition(b"\n")
        try:
            told: dict[str, Any] = json.loads(head)
            length = int(told.pop("margin"))
            margin = pa.ipc.open_stream(rest[:length]).read_all() if length else None
            return Packet(**told, payload=rest[length:], margin=margin)
        except (ValueError, KeyError, TypeError, pa.ArrowInvalid) as error:
            raise StateError(f"a packet is damaged: {error}", code="packet") from error


_TOLD = ("batch", "clock", "ended", "opening", "begun", "items", "seconds")


@dataclass(frozen=True, slots=True)
class Received:
    """What a peer has received of a flow over its last hop, and passed on."""

    hop: tuple[str, str]
    batch: int = -1
    packets: int = 0
    items: int = 0
    payload: int = 0
    """Bytes of items."""
    bytes: int = 0
    """Of all that went over the link."""
    clock: list[Json] = field(default_factory=list)
    begun: bool = False
    ended: bool = False

    def with_packet(self, packet: Packet, size: int) -> Received:
        """Also this one, which had so many bytes."""
        return Received(
            self.hop,
            packet.batch,
            self.packets + 1,
            self.items + packet.items,
            self.payload + len(packet.payload),
            self.bytes + size,
            packet.clock,
            packet.begun,
            packet.ended,
        )

    def to_json(self) -> Json:
        return asdict(self)

    @staticmethod
    def from_json(content: Json) -> Received:
        """What `to_json` wrote."""
        source, target = content["hop"]
        return Received(**{**content, "hop": (source, target)})


def _packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=_PACKING) as writer:
        writer.write_table(table)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed
