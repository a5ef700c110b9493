"""The tables of whole temporal views in a Spark session, for as long as a question is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from millstream.compiler.history.whole_view import WholeTable
from millstream.runtime.session import SparkSession


@contextmanager
def hydrated(spark: SparkSession, tables: Sequence[WholeTable]) -> Iterator[None]:
    """Put tables together, all of them before anything is asked; then let go of them."""
    frames = []
    try:
        for table in tables:
            frame = spark.sql(table.sql).cache()
            frames.append(frame)
            frame.count()
            frame.createOrReplaceTempView(table.view)
        yield
    finally:
        for frame in frames:
            frame.unpersist()
