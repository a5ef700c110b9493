"""What contenders have found, read from what they wrote: for each box how many photons and which.

Two contenders agree if for every box they found as many photons, with the same sum of times.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import millstream

Findings = dict[int, tuple[int, int]]


def findings(folder: Path) -> Findings:
    """What was found, by box; boxes without photons are left out."""
    if (folder / "space").exists():
        return _gathered(_of_mill(folder / "space"))
    return _gathered(_of_rival(folder / "results"))


def _of_rival(results: Path) -> Iterator[pa.Table]:
    for file in results.rglob("*.parquet"):
        table = pq.ParquetFile(file).read()
        if "box" not in table.column_names:
            box = next(part for part in file.parts if part.startswith("box="))
            number = int(box.removeprefix("box="))
            table = table.append_column("box", pa.repeat(number, len(table)))
        yield table.select(["box", "det_time"])


def _of_mill(space: Path) -> Iterator[pa.Table]:
    with millstream.open(space) as mill:
        state = mill.runner("photons").journal.state
        boxes = {
            reading.channel: int(name)
            for name, readings in state.readings.items()
            for reading in readings
        }
        for segment in state.tables["results"]:
            table = pq.ParquetFile(mill.space.storage.address(segment.name)).read()
            slots = pc.list_element(table["values"], 1)
            times = pc.cast(pc.replace_substring_regex(slots, r"\D+", ""), pa.int64())
            numbers = [boxes[each] for each in table["channel"].to_pylist()]
            yield pa.table({"box": pa.array(numbers, pa.int64()), "det_time": times})


def _gathered(tables: Iterator[pa.Table]) -> Findings:
    found: Findings = {}
    for table in tables:
        if not len(table):
            continue
        boxes = table["box"].to_numpy()
        times = table["det_time"].to_numpy()
        numbers, places = np.unique(boxes, return_inverse=True)
        counts = np.bincount(places)
        sums = np.bincount(places, weights=times).astype(np.int64)
        for number, count, total in zip(
            numbers.tolist(), counts.tolist(), sums.tolist(), strict=True
        ):
            before = found.get(number, (0, 0))
            found[number] = before[0] + count, before[1] + total
    return found
