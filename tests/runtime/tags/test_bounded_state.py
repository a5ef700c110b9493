"""However much flows through a mill, its statements keep what windows and lifespans call for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import millstream
from millstream.mill import Mill
from millstream.model.tags import emotions
from millstream.runtime.session import SparkSession
from millstream.runtime.small_source import batches

pytestmark = [pytest.mark.spark, pytest.mark.long, pytest.mark.timeout(3600)]

ELEMENTS = 10_000_000
STEPS = 25
"""Of each of the two streams."""
PACE = 100
"""Tuples in a second of a stream; each third one has a tag before it, which lives for 50 ms."""
WORDS = tuple(word for listed in emotions().groups.values() for word in listed)
FEW = "speed > 4.9"
BOTH = "A [2 s], B [2 s]"
QUERIES = {
    "tags": f"SELECT TAGS FROM A WHERE TAG EQUIVALENT TO 'sad' AND {FEW}",
    "alike": "SELECT TAGGED OBJECTS FROM A [2 s] WHERE TAG COOCCURS WITH 'happy' >= 2"
    " AND speed > 4.99",
    "averages": f"SELECT kind, AVG(speed), MAX(speed) FROM A [2 s] WHERE {FEW} GROUP BY kind",
    "of all": f"SELECT kind, COUNT(*), MIN(speed) FROM A WHERE {FEW} GROUP BY kind",
    "groups": f"SELECT TAG, COUNT(*) FROM A [2 s] WHERE {FEW} GROUP BY TAGS USING DICTIONARY",
    "groups of all": f"SELECT TAG, COUNT(*) FROM A WHERE {FEW} GROUP BY TAGS INCLUDING UNTAGGED",
    "shares": f"SELECT TAG, COUNT(*) FROM A [2 s] WHERE {FEW} GROUP BY TAGS USING JACCARD 0.5",
    "joined": f"SELECT A.kind, B.kind FROM {BOTH} WHERE A.speed > 4.9 AND B.speed > 4.9 WITH TAGS",
    "by tags": f"SELECT TAGGED OBJECTS FROM {BOTH} WHERE TAG(A) EQUIVALENT TO TAG(B)"
    " AND A.speed > 4.99 AND B.speed > 4.99",
}


def lines(count: int) -> Iterator[str]:
    """So many elements; every fourth one is a tag."""
    for number in range(count):
        time = number * 0.75 / PACE
        if number % 4 == 0:
            mode = "O" if number % 20 == 0 else "C"
            yield (
                f'{{"tag": {{"tagger": "u{number % 7}", "applicability": "*,*,{{}}", "time":'
                f' {time:.4f}, "lifespan": "50 ms", "mode": "{mode}", "content":'
                f' "{WORDS[number * 31 % len(WORDS)]}"}}}}\n'
            )
        else:
            yield (
                f'{{"tuple": {{"id": "o{number}", "time": {time:.4f}, "attributes": {{"kind":'
                f' "k{number % 5}", "speed": {number * 7919 % 5000 / 1000}}}}}}}\n'
            )


def kept(mill: Mill) -> int:
    """The rows that statements of both streams have kept."""
    journals = (mill.runner(name).journal for name in ("A", "B"))
    return sum(segment.rows for each in journals for segment in each.state.tables["state"])


def most_kept(folder: Path, spark: SparkSession, count: int, steps: int) -> tuple[int, int]:
    """The most rows of state in the first half of the steps, and in the second."""
    for name in ("A", "B"):
        with (folder / f"{name}.jsonl").open("w") as file:
            file.writelines(lines(count // 2))
    most = [0, 0]
    with millstream.open(folder / "space", spark=spark) as mill:
        for name in ("A", "B"):
            size = -(-count // 2 // steps)
            mill.create_stream(name, folder / f"{name}.jsonl", max_items_per_batch=size)
        for name, text in QUERIES.items():
            mill.subscribe(text, name=name)
        runners = [mill.runner(name) for name in ("A", "B")]
        sources = [batches(each.intake_spec(f"streams/{each.record.name}")) for each in runners]
        for step, chunks in enumerate(zip(*sources, strict=True)):
            for runner, each in zip(runners, chunks, strict=True):
                runner.shared_batch.run_batch(each, step)
            half = min(1, step * 2 // steps)
            most[half] = max(most[half], kept(mill))
    return most[0], most[1]


def test_ten_million_elements(spark: SparkSession, tmp_path: Path) -> None:
    early, late = most_kept(tmp_path, spark, ELEMENTS, STEPS)
    assert late <= early * 1.05
