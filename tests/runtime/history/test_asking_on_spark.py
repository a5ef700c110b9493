"""One-time queries over a running stream: on Spark, what SaxonC tells of the whole history."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

import millstream
from millstream.history.filler_store import FillerStore
from millstream.history.filler_tables import placed_tables
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.history import placed_space
from millstream.runtime.session import SparkSession
from millstream.testing.filler_feed import FillerFeed
from tests.history.credit import time
from tests.runtime.history.credit_queries import QUERIES, STREAMS, credit_batches

BATCHES = [batch for _, batch in credit_batches(6, transactions=60)]
INSTANTS = (None, time("2003-01-01T04:00:00"), time("2003-06-01"))


FEW = ("fraud", "first ten")


@pytest.mark.spark
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("queries", "instants", "steps", "most_here"),
    [
        (FEW, INSTANTS[1:2], (len(BATCHES) - 1,), placed_space.MOST_HERE),
        pytest.param(FEW, INSTANTS[1:2], (len(BATCHES) - 1,), 0, marks=pytest.mark.long),
        pytest.param(
            *(tuple(QUERIES), INSTANTS, (2, len(BATCHES) - 1), placed_space.MOST_HERE),
            marks=pytest.mark.long,
        ),
    ],
    ids=["some", "placed by Spark", "all"],
)
def test_running_history_is_asked_on_spark(
    queries: tuple[str, ...],
    instants: tuple[datetime | None, ...],
    steps: tuple[int, ...],
    most_here: int,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(placed_space, "MOST_HERE", most_here)
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        structure = STREAMS["credit"]
        mill.create_stream("credit", "nowhere", schema=tag_structure_text(structure))
        feed = FillerFeed(mill, "credit")
        store = FillerStore(structure)
        for number, batch in enumerate(BATCHES):
            feed.push(batch)
            for filler in batch:
                store.add(filler)
            if number not in steps:
                continue
            for name in queries:
                for now in instants:
                    asked = [
                        mill.query(QUERIES[name], now, engine=engine)
                        for engine in ("spark", "saxonc")
                    ]
                    assert asked[0].items == asked[1].items, (name, now)
            assert mill.query(QUERIES["fraud"], engine="spark").engine == "spark"
            check_tables(mill.session, store)


def check_tables(spark: SparkSession, store: FillerStore) -> None:
    """The tables are those that the fillers make in memory, in the same order."""
    columns = ["id", "valid", "version", "begin", "until", "body"]
    for tsid, expected in placed_tables(store).items():
        found = spark.table(f"history_credit_{tsid}").orderBy("rank").select(*columns).toArrow()
        assert found.to_pylist() == expected.sort_by("rank").select(columns).to_pylist()
