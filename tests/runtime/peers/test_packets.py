"""Packets come out as they went in, and wait on their link until they are received."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from millstream.errors import StateError
from millstream.runtime.peers.links import Links, Traffic
from millstream.runtime.peers.packet import SEPARATOR, Packet, Received
from millstream.runtime.storage import LocalStorage

HOP = ("SP4", "SP5")
ITEMS = ("<p><en>1.3</en></p>", "<p>two\nlines</p>", "<p>ü</p>")
CLOCK = [{"reference": "det_time", "type": "decimal", "anchor": "0", "highest": "12.50"}]


def packet(batch: int) -> Packet:
    margin = pa.table({"position": pa.array([1, 5, 9]), ">en": pa.array([None, 1.0, 1.0])})
    payload = SEPARATOR.join(ITEMS).encode()
    return Packet(batch, CLOCK, items=3, payload=payload, margin=margin, seconds=0.5)


@pytest.mark.parametrize(
    "given", [packet(7), Packet(0, opening=True, begun=False), Packet(9, CLOCK, ended=True)]
)
def test_packet_travels(given: Packet) -> None:
    assert Packet.from_bytes(given.to_bytes()) == given


def test_items_of_a_packet_keep_their_lines() -> None:
    assert Packet.from_bytes(packet(1).to_bytes()).texts() == list(ITEMS)
    assert Packet(1).texts() == []


@pytest.mark.parametrize("data", [b"", b"{}", b"no json\n", b'{"batch":1,"margin":7}\nxx'])
def test_damaged_packet_is_told(data: bytes) -> None:
    with pytest.raises(StateError, match="damaged"):
        Packet.from_bytes(data)


def test_packets_wait_in_order_and_go_when_received(tmp_path: Path) -> None:
    links = Links(LocalStorage(str(tmp_path)))
    for batch in (11, 2, 7):
        links.send("flow a/b", HOP, batch, packet(batch).to_bytes())
    assert [each.batch for each, _ in links.waiting("flow a/b", HOP)] == [2, 7, 11]
    links.drop("flow a/b", HOP, 2)
    links.drop("flow a/b", HOP, 2)
    assert [each.batch for each, _ in links.waiting("flow a/b", HOP)] == [7, 11]
    links.forget("flow a/b")
    assert not list(links.waiting("flow a/b", HOP))


def test_traffic_is_what_was_received_also_of_flows_that_are_gone(tmp_path: Path) -> None:
    links = Links(LocalStorage(str(tmp_path)))
    assert links.sent("flow a") is None
    links.remember_sent("flow a", 7)
    assert links.sent("flow a") == 7
    for tap in ("flow a", "flow b"):
        received = links.received(tap, HOP)
        assert received == Received(HOP)
        links.remember_received(tap, received.with_packet(packet(7), 1000))
    links.forget("flow a")
    payload = len(packet(7).payload)
    assert links.traffic() == {HOP: Traffic(2 * payload, 2000, 6, 2)}
    assert links.received("flow a", HOP).batch == 7
