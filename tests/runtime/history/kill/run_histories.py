"""Runs a mill over folders of fillers until it is drained; a test kills it and runs it again."""

from __future__ import annotations

import sys
from pathlib import Path

import millstream
from tests.history import seed_queries
from tests.runtime.history.credit_queries import QUERIES

CHOSEN = {
    **{name: QUERIES[name] for name in ("fraud", "charged now", "recent", "number")},
    "radar": seed_queries.RADAR,
}


def main(space: Path, sources: Path) -> None:
    with millstream.open(space, memory="512m") as mill:
        for name in ("credit", "radar1", "radar2"):
            if name not in mill.streams:
                mill.create_stream(name, sources / name, finite=True, max_items_per_batch=40)
        for name, text in CHOSEN.items():
            if name not in mill.subscriptions:
                mill.subscribe(text, name=name)
        mill.run(until="drained")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
