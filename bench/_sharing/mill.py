"""Millstream as a contender: a kept space, one subscription for each box."""

from __future__ import annotations

from typing import Any

from meter import seconds_used
from pyspark.sql import SparkSession
from task import Task

import millstream
from millstream.generators.photons import PHOTONS_DTD


def run(spark: SparkSession, task: Task) -> dict[str, Any]:
    """Subscribe to all boxes and run; the processor seconds that subscribing took, and more."""
    with millstream.open(task.folder / "space", spark=spark) as mill:
        mill.create_stream(
            "photons",
            task.photons,
            schema=PHOTONS_DTD,
            order_by="det_time",
            finite=True,
            max_bytes_per_batch=task.bytes_per_batch,
        )
        before = seconds_used()
        for number, box in enumerate(task.boxes):
            mill.subscribe(box.text, name=str(number))
        subscribing = seconds_used() - before
        report = mill.run(until="drained")
    return {"subscribing": subscribing, "steps": report.steps, "results": report.results}
