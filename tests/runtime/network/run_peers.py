"""Runs the seed's four queries in a network; a test kills it on the way and runs it again."""

from __future__ import annotations

import sys
from pathlib import Path

import millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD
from millstream.sharing.network.topologies import cube

PEERS = {"vela": "SP1", "rxj": "SP7", "average_20": "SP3", "average_60": "SP2"}


def main(space: Path, source: Path) -> None:
    with millstream.open(space, memory="512m", network=cube()) as mill:
        if "photons" not in mill.streams:
            mill.create_stream(
                "photons",
                source,
                schema=PHOTONS_DTD,
                order_by="det_time",
                finite=True,
                max_items_per_batch=500,
                peer="SP4",
            )
        for name, peer in PEERS.items():
            if name not in mill.subscriptions:
                mill.subscribe(PHOTON_QUERIES[name], name=name, peer=peer)
        mill.run(until="drained")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
