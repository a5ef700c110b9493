"""Runs of mills over files, with what it takes to write the results as they travel.

The tagger stands beside a selection by the same condition, and the join by distance with tags
beside the same join without them, over the same streams. A join looks its tags up when results are
read, so what that takes is seen here and in no step.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from join_figures import BY_DISTANCE
from tag_meter import Measured, Meter, turns
from tagger_figure import EVERYTHING, region
from travelling_tags import Traffic, traffic, written

import millstream

_SHARES = (0.2, 1.0)
Sources = Mapping[str, Path]


def tagger_wire(meter: Meter) -> list[Measured]:
    """The tagger ÷ the selection."""
    found = []
    for share in _SHARES:
        attaching = f"ATTACH TAG 'happy' CONTINUOUSLY TO A WHERE {region(share)}"
        texts = (f"{EVERYTHING} WHERE {region(share)}", attaching)
        ratios = _ratios(meter, "selection", ("A",), meter.size.wire, 0.0, texts)
        found.append({"share": share, **ratios})
    return found


def join_wire(meter: Meter) -> list[Measured]:
    """The join with tags ÷ the join without, each tag on a tuple of its own."""
    texts = (BY_DISTANCE, f"{BY_DISTANCE} WITH TAGS")
    return [
        {
            "share": share,
            **_ratios(meter, "without", ("A", "B"), meter.size.wire // 4, share, texts),
        }
        for share in _SHARES
    ]


def _ratios(
    meter: Meter,
    beside: str,
    streams: tuple[str, ...],
    count: int,
    share: float,
    texts: tuple[str, str],
) -> Measured:
    """What the second statement takes ÷ what the first one does, in turns after one that warms."""
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        sources = {
            name: _written(Path(folder) / name, traffic(count, share, 1, seed))
            for seed, name in enumerate(streams)
        }
        taken: list[list[tuple[float, float]]] = [[], []]
        for turn in turns(meter.size.runs + 1, meter.size.patience / 2):
            for place in (turn % 2, (turn + 1) % 2):
                run = _run(meter, sources, texts[place])
                if turn:
                    taken[place].append(run)
    steps = [statistics.median(step for step, _ in each) for each in taken]
    wires = [statistics.median(wire for _, wire in each) for each in taken]
    return {
        f"step ÷ {beside}": steps[1] / steps[0],
        f"step and wire ÷ {beside}": (steps[1] + wires[1]) / (steps[0] + wires[0]),
        "step s": steps[1],
        "wire s": wires[1],
    }


def _written(folder: Path, found: Traffic) -> Path:
    folder.mkdir()
    return written(folder, "TICK-TAG", found)["A"]


def _run(meter: Meter, sources: Sources, text: str) -> tuple[float, float]:
    """What the steps of a mill take, and what it takes to write its results."""
    with (
        tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder,
        millstream.open(Path(folder) / "space", spark=meter.session) as mill,
    ):
        for name, source in sources.items():
            mill.create_stream(name, source, finite=True, format="tagged-xml")
        subscription = mill.subscribe(text)
        report = mill.run()
        started = time.monotonic()
        with (Path(folder) / "results.jsonl").open("w") as file:
            file.writelines(f"{line}\n" for line in subscription.wire())
        return report.seconds, time.monotonic() - started
