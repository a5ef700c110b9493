"""A stix that is open for many steps: the tags that it puts on tuples are given once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import millstream
from millstream.runtime.session import SparkSession
from millstream.runtime.small_source import batches

pytestmark = [pytest.mark.spark, pytest.mark.timeout(900)]

TUPLES = 9
FULL_AFTER = 3
"""Steps after which state is written anew."""


def test_a_tag_is_given_once_whatever_is_attached_between(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("millstream.runtime.shared_batch.FULL_AFTER", FULL_AFTER)
    lines = [
        {"stix": f"(1-{TUPLES})1"},
        {"tag": {"tagger": "ann", "content": "put", "time": 0}},
        *(
            {"tuple": {"id": f"r{each}", "time": each, "attributes": {"n": each}}}
            for each in range(TUPLES)
        ),
    ]
    source = tmp_path / "s.jsonl"
    source.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "S", source, format="tagged", finite=True, schema="n INT", max_items_per_batch=1
        )
        mill.subscribe("SELECT TAGS FROM S", name="tags")
        runner, steps = mill.runner("S"), 0
        for number, chunks in enumerate(batches(runner.intake_spec("streams/S"))):
            mill.attach("S", f"attached {number}", tagger="bob", lifespan="3 s")
            runner.shared_batch.run_batch(chunks, number)
            steps += 1
        runner.end()
        given = [json.loads(each)["tag"]["content"] for each in mill.subscriptions["tags"].wire()]
    assert steps > 2 * FULL_AFTER
    assert given.count("put") == 1
    assert sorted(given) == sorted({"put", *(f"attached {each}" for each in range(steps))})
