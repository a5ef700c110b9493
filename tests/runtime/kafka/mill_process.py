"""A mill between two topics, in a process of its own: Spark takes its connector when it starts.

    mill_process.py SPACE SOURCE RESULTS [STOP]

It reads photons from SOURCE and writes four subscriptions to RESULTS until the file STOP is there,
then until all is read; without STOP, until all is read. What it knows is printed as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

import millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.generators.photons import PHOTONS_DTD
from millstream.mill import Mill


def main(space: str, source: str, results: str, stop: str | None = None) -> None:
    troubles: set[str] = set()
    with millstream.open(space, memory="512m") as mill:
        if "photons" not in mill.streams:
            # Where nothing can be read, nothing tells of types.
            types = dict.fromkeys(("en", "coord/cel/ra", "coord/cel/dec"), "decimal")
            mill.create_stream(
                *("photons", source),
                schema=PHOTONS_DTD,
                types=types | {"det_time": "integer"},
                order_by="det_time",
                finite=True,
            )
        for name, text in PHOTON_QUERIES.items():
            if name not in mill.subscriptions:
                mill.subscribe(text, name=name, sinks=[{"format": "xml", "path": results}])
        if stop is not None:
            run_until(mill, Path(stop), troubles)
        mill.run(until="drained")
        logs = {name: list(each.results()) for name, each in mill.subscriptions.items()}
        aside = [each.reason for each in mill.streams["photons"].quarantine()]
    print(json.dumps({"logs": logs, "quarantine": aside, "troubles": sorted(troubles)}))


def run_until(mill: Mill, stop: Path, troubles: set[str]) -> None:
    """Run until a file appears; what goes wrong meanwhile is noted."""
    ended = threading.Event()

    def look() -> None:
        while not stop.exists():
            heard = mill.streams["photons"].trouble
            told = [] if heard is None else [heard]
            troubles.update(each.message for each in (*told, *mill.deliveries.trouble.values()))
            time.sleep(0.1)
        ended.set()

    threading.Thread(target=look, daemon=True).start()
    mill.run(until="forever", stop=ended)


if __name__ == "__main__":
    main(*sys.argv[1:])
