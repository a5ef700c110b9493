"""A space for peers, and all its peers turned in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD
from millstream.mill import Mill
from millstream.peer import Peer
from millstream.runtime.session import SparkSession
from millstream.sharing.network import cube
from tests.runtime.network.peers import TYPES

PLACES = {"vela": "SP1", "rxj": "SP7", "average_20": "SP3", "average_60": "SP2"}


def create(mill: Mill, source: Path, *, finite: bool = True) -> None:
    mill.create_stream(
        "photons",
        source,
        schema=PHOTONS_DTD,
        types=TYPES,
        order_by="det_time",
        finite=finite,
        max_items_per_batch=200,
        peer="SP4",
        rate=10,
    )


def subscribe(mill: Mill, *names: str) -> None:
    for name in names:
        mill.subscribe(PHOTON_QUERIES[name], name=name, peer=PLACES[name])


def results(space: Path) -> dict[str, list[str]]:
    with millstream.open(space) as mill:
        return {name: list(each.results()) for name, each in mill.subscriptions.items()}


def turn_all(space: Path, spark: SparkSession, until: Callable[[], bool] | None = None) -> None:
    """Turn all peers of the cube: until all has ended, or something holds for a while."""
    stop, failures = threading.Event(), list[BaseException]()
    peers = [Peer(space, each.name, spark=spark) for each in cube().peers]

    def turn(peer: Peer) -> None:
        try:
            peer.turn("drained" if until is None else "forever", stop)
        except BaseException as error:
            failures.append(error)
            stop.set()

    threads = [threading.Thread(target=turn, args=(each,)) for each in peers]
    for each in threads:
        each.start()
    try:
        if until is not None:
            _wait(until, stop)
            stop.set()
        for each in threads:
            each.join(600)
    finally:
        stop.set()
        for peer in peers:
            peer.close()
    assert not failures, failures


def _wait(until: Callable[[], bool], stop: threading.Event) -> None:
    quiet, deadline = 0, time.monotonic() + 600
    while quiet < 8 and time.monotonic() < deadline and not stop.wait(0.25):
        quiet = quiet + 1 if until() else 0


def all_arrived(space: Path, items: int) -> bool:
    """True when so many items were read, and no packet is under way."""
    with millstream.open(space) as mill:
        read = mill.runner("photons").journal.state.items >= items
    return read and not list((space / "links").glob("*/*/*.packet"))
