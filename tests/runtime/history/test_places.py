"""The tables of a running history, made without Spark, are those of its fillers in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings

import millstream
from millstream.history.filler_store import FillerStore
from millstream.history.filler_tables import placed_tables
from millstream.model.filler import Filler
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.history.placed_here import PlacingHere
from millstream.testing.filler_feed import FillerFeed
from millstream.testing.no_spark import NoSpark
from tests.history.test_laws import Author
from tests.history.test_strategies import asked_histories
from tests.runtime.history.credit_queries import STREAMS, credit_batches

COLUMNS = ["id", "valid", "version", "begin", "until", "body"]


def check(structure: TagStructure, batches: list[list[Filler]]) -> None:
    store = FillerStore(structure)
    with (
        tempfile.TemporaryDirectory() as folder,
        millstream.open(Path(folder) / "space", spark=NoSpark()) as mill,  # type: ignore[arg-type]
    ):
        mill.create_stream("s", "nowhere", schema=tag_structure_text(structure))
        feed = FillerFeed(mill, "s")
        for batch in batches:
            feed.push(batch)
            for filler in batch:
                store.add(filler)
        state = mill.runner("s").journal.state
        PlacingHere(mill.space.storage, structure, state).write("placed")
        for tsid, expected in placed_tables(store).items():
            found = pq.read_table(mill.space.storage.address(f"placed/{tsid}"))
            assert found.schema.equals(expected.schema)
            listed = [
                each.sort_by("rank").select(COLUMNS).to_pylist() for each in (found, expected)
            ]
            assert listed[0] == listed[1]


def test_late_and_repeated_fillers() -> None:
    check(STREAMS["credit"], [batch for _, batch in credit_batches(6, transactions=60)])


@settings(max_examples=5, derandomize=True, suppress_health_check=list(HealthCheck))
@given(asked=asked_histories())
def test_random_histories(asked: tuple[Author, list[str]]) -> None:
    author, _ = asked
    fillers = list(author.fillers)
    middle = len(fillers) // 2
    again = [*fillers[:middle], *fillers[middle:], *fillers[:3]]
    check(author.structure, [batch for batch in (again[:middle], again[middle:]) if batch])
