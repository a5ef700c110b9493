"""millstream bench tags: each figure comes to its end, of streams too small to measure anything."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from millstream.cli.bench import load
from millstream.runtime.session import prepared

tags = load(Path(__file__).parents[2] / "bench" / "tags.py")
TINY = replace(
    tags.QUICK,
    tuples=300,
    selected=300,
    carried=300,
    joined=300,
    near=300,
    looped=20,
    wire=100,
    travelling=1000,
    shares=(0.0, 1.0),
)
OF_STATEMENTS = (tags.TAGGER, tags.TAG_JOIN, tags.NESTED, tags.AWARE)
"""Figures of few statements, each run alone; the others run many, or mills."""
UNBOUNDED = (tags.TAGGER_WIRE, tags.AWARE_WIRE)
"""Of which nothing has to hold."""

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    "name",
    [
        each if each in OF_STATEMENTS else pytest.param(each, marks=pytest.mark.long)
        for each in tags.FIGURES
    ],
)
def test_figure(spark: SparkSession, tmp_path: Path, name: str) -> None:
    facts = tags.measured(tags.Meter(prepared(spark), tmp_path, TINY), (name,))
    told = [value for row in facts[name] for value in row.values() if not isinstance(value, str)]
    assert told
    assert all(math.isfinite(each) for each in told)
    assert bool(facts["targets"]) is (name not in UNBOUNDED)
    Console(quiet=True).print(tags.table(facts))
