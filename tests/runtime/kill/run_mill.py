"""Runs a mill over a folder until it is drained; a test kills it on the way and runs it again."""

from __future__ import annotations

import sys
from pathlib import Path

import millstream
from millstream.generators.photon_queries import AVERAGE_20, VELA
from millstream.generators.photons import PHOTONS_DTD

LATEST = """<latest>{
  for $w in stream("photons")/photons/photon[en >= 1.0]|count 50 step 20|
  let $a := sum($w/en), $b := max($w/phc)
  return <w>{ $a }{ $b }</w> }</latest>"""
LAST_SEEN = """<seen>{
  for $w in stream("photons")/photons/photon[en >= 2.2]|det_time diff 30 step 30|
  return <w>{ $w/en }</w> }</seen>"""
QUERIES = {
    "vela": VELA,
    "average_20": AVERAGE_20,
    "latest": LATEST,
    "last_seen": LAST_SEEN,
}


def main(space: Path, source: Path) -> None:
    with millstream.open(space, memory="512m") as mill:
        if "photons" not in mill.streams:
            mill.create_stream(
                "photons",
                source,
                schema=PHOTONS_DTD,
                order_by="det_time",
                finite=True,
                max_items_per_batch=400,
            )
        for name, text in QUERIES.items():
            if name not in mill.subscriptions:
                mill.subscribe(text, name=name)
        mill.run(until="drained")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
