"""Items a second with 1 and with 100 subscriptions, beside Spark's own XML reader with one filter.

All contenders share a Spark session and take turns, so that a slow moment of the machine meets
each of them. Every turn starts from nothing: a new space, or a new sink and checkpoint. All
are given the schema.

Starting a stream takes Millstream about a second, which counts: with few photons (--quick) the
ratio is lower than with many.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from rich.table import Table

import millstream
from millstream.errors import InternalError
from millstream.generators.photon_queries import VELA
from millstream.generators.photons import PHOTONS_DTD, write

MANY = 100
ROWS = (
    "coord struct<cel: struct<ra: double, dec: double>, det: struct<dx: int, dy: int>>, "
    "phc int, en double, det_time bigint"
)
IN_VELA = (
    "coord.cel.ra >= 120.0 AND coord.cel.ra <= 138.0 "
    "AND coord.cel.dec >= -49.0 AND coord.cel.dec <= -40.0"
)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    photons: int
    files: int
    rounds: int


FULL = Size(photons=2_000_000, files=8, rounds=3)
QUICK = Size(photons=400_000, files=8, rounds=1)
WARM_UP = Size(photons=20_000, files=2, rounds=1)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one contender did: the seconds it took and the Vela photons it found."""

    seconds: float
    vela: int


Contender = Callable[[SparkSession, Path, Path], Turn]


def measure(quick: bool) -> dict[str, Any]:
    """The medians of all contenders and their ratios to Spark's reader."""
    size = QUICK if quick else FULL
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder:
        spark = _session()
        try:
            _turns(spark, WARM_UP, Path(folder) / "warm-up")
            turns = _turns(spark, size, Path(folder) / "measured")
        finally:
            spark.stop()
    return _facts(size, turns)


def table(facts: dict[str, Any]) -> Table:
    """The facts for people."""
    drawn = Table("contender", "items/s", "seconds", "ratio", title=f"{facts['photons']:,} photons")
    for column in drawn.columns[1:]:
        column.justify = "right"
    for name, each in facts["contenders"].items():
        drawn.add_row(
            name, f"{each['items_per_second']:,}", f"{each['seconds']:.2f}", f"{each['ratio']:.2f}"
        )
    return drawn


def box_query(number: int) -> str:
    """A subscription to one of 100 different boxes of the sky."""
    column, row = number % 10, number // 10
    west, south = 36 * column, -90 + 18 * row
    return f"""
        <photons>
          {{ for $p in stream("photons")/photons/photon
             where $p/coord/cel/ra >= {west}.0 and $p/coord/cel/ra <= {west + 9}.{number % 7}
               and $p/coord/cel/dec >= {south}.0 and $p/coord/cel/dec <= {south + 4}.{number % 9}
             return <box> {{ $p/en }} {{ $p/det_time }} </box> }}
        </photons>"""


def _session() -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("bench")
    settings = {
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _turns(spark: SparkSession, size: Size, folder: Path) -> dict[str, list[Turn]]:
    source = folder / "photons"
    write(source, size.photons, files=size.files)
    turns: dict[str, list[Turn]] = {name: [] for name in CONTENDERS}
    for number in range(size.rounds):
        for name, contender in CONTENDERS.items():
            turns[name].append(contender(spark, source, folder / f"{name} {number}"))
    found = {turn.vela for each in turns.values() for turn in each}
    if len(found) != 1:
        raise InternalError(f"the contenders found different numbers of photons: {sorted(found)}")
    return turns


def _spark_reader(spark: SparkSession, source: Path, folder: Path) -> Turn:
    started = time.monotonic()
    photons = (
        spark.readStream.format("xml").schema(ROWS).option("rowTag", "photon").load(str(source))
    )
    written = (
        photons.filter(IN_VELA)
        .writeStream.format("parquet")
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(folder / "results"))
    )
    written.awaitTermination()
    seconds = time.monotonic() - started
    return Turn(seconds, spark.read.parquet(str(folder / "results")).count())


def _mill(subscriptions: int) -> Contender:
    queries = [VELA, *(box_query(number) for number in range(subscriptions - 1))]

    def turn(spark: SparkSession, source: Path, folder: Path) -> Turn:
        with millstream.open(folder, spark=spark) as mill:
            mill.create_stream(
                "photons", source, schema=PHOTONS_DTD, order_by="det_time", finite=True
            )
            vela, *_ = [mill.subscribe(text) for text in queries]
            started = time.monotonic()
            mill.run(until="drained")
            seconds = time.monotonic() - started
            return Turn(seconds, sum(1 for _ in vela.results()))

    return turn


CONTENDERS: dict[str, Contender] = {
    "spark": _spark_reader,
    "millstream 1": _mill(1),
    f"millstream {MANY}": _mill(MANY),
}


def _facts(size: Size, turns: dict[str, list[Turn]]) -> dict[str, Any]:
    medians = {
        name: statistics.median(turn.seconds for turn in each) for name, each in turns.items()
    }
    return {
        "photons": size.photons,
        "rounds": size.rounds,
        "results": turns["spark"][0].vela,
        "contenders": {
            name: {
                "seconds": round(seconds, 3),
                "all_seconds": [round(turn.seconds, 3) for turn in turns[name]],
                "items_per_second": round(size.photons / seconds),
                "ratio": round(medians["spark"] / seconds, 3),
            }
            for name, seconds in medians.items()
        },
    }
